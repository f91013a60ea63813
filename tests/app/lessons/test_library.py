import logging
import os

from explorer.app.lessons.library import FOLDER, MOST_FILES, Shelf, shelf
from explorer.app.lessons.player_html import list_html

MINE = "---\ntitle: {}\nabout: Mine.\norder: 0\nsteps:\n  - see: Look.\n---\n"


def put(folder, name, text):
    (folder / name).write_text(text, encoding="utf-8")


def test_nine_lessons_come_with_the_app_in_their_order():
    names = list(Shelf().lessons)
    assert names[:3] == ["stairs-and-slopes", "one-tree-many-trees", "why-ridge"]
    assert len(names) >= 9
    assert names[-1] == "from-a-folder-to-an-answer"


def test_a_file_dropped_into_the_folder_is_there_at_the_next_look(tmp_path):
    mine = Shelf(tmp_path)
    before = len(mine.lessons)
    put(tmp_path, "My lesson.md", MINE.format("My own"))
    mine.look()
    assert len(mine.lessons) == before + 1
    assert next(iter(mine.lessons)) == "my-lesson"
    (tmp_path / "My lesson.md").unlink()
    mine.look()
    assert len(mine.lessons) == before


def test_a_changed_file_is_read_again(tmp_path):
    put(tmp_path, "a.md", MINE.format("Old"))
    mine = Shelf(tmp_path)
    put(tmp_path, "a.md", MINE.format("Newer"))
    os.utime(tmp_path / "a.md", (1, 1))
    mine.look()
    assert mine.lessons["a"].title == "Newer"


def test_a_bad_file_is_named_with_its_line_and_the_others_work(tmp_path, caplog):
    put(tmp_path, "bad.md", "---\ntitle: Bad\n---\n")
    put(tmp_path, "good.md", MINE.format("Good"))
    with caplog.at_level(logging.WARNING):
        mine = Shelf(tmp_path)
        mine.look()
    assert mine.faults == ["bad.md, line 2: The lesson has no 'about'. Write one."]
    assert caplog.text.count("bad.md") == 1  # not at every look
    assert "good" in mine.lessons
    assert "bad.md, line 2" in list_html(mine, None)


def test_a_teachers_version_of_a_lesson_of_ours_wins(tmp_path):
    put(tmp_path, "why-ridge.md", MINE.format("Why not"))
    assert Shelf(tmp_path).lessons["why-ridge"].title == "Why not"


def test_a_folder_that_is_gone_is_said_and_our_lessons_stay(tmp_path):
    mine = Shelf(tmp_path / "nowhere")
    assert "cannot be read" in mine.faults[0]
    assert len(mine.lessons) >= 8


def test_a_folder_of_very_many_files_is_cut_short(tmp_path):
    for i in range(MOST_FILES + 5):
        put(tmp_path, f"l{i:03d}.md", "no lesson")
    mine = Shelf(tmp_path)
    assert len(mine.faults) == MOST_FILES + 1
    assert "first" in mine.faults[0]


def test_other_files_and_folders_are_left_alone(tmp_path):
    put(tmp_path, "notes.txt", "x")
    (tmp_path / "folder.md").mkdir()
    assert Shelf(tmp_path).faults == ["folder.md cannot be opened. Check who may read it."]


def test_names_and_faults_from_files_are_shown_as_text(tmp_path):
    put(tmp_path, "a.md", MINE.format("<img src=x onerror=alert(1)>"))
    put(tmp_path, "<b>.md", "---\n<script>: 1\n---\n")
    html = list_html(Shelf(tmp_path), "a")
    assert "<img" not in html
    assert "<script" not in html
    assert "<b>.md" not in html


def test_the_servers_folder_comes_from_the_environment(tmp_path, monkeypatch):
    monkeypatch.setenv(FOLDER, str(tmp_path))
    assert "mine" not in shelf().lessons
    put(tmp_path, "mine.md", MINE.format("Mine"))
    assert "mine" in shelf().lessons
