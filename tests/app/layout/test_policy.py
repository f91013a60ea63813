from explorer.app.layout.policy import new_nonce, page_policy


def parts(policy):
    return dict(part.strip().split(" ", 1) for part in policy.split(";"))


def test_only_this_server_and_scripts_with_the_nonce_may_run():
    found = parts(page_policy("abc"))
    assert found["default-src"] == "'none'"
    assert set(found["script-src"].split()) == {"'self'", "'nonce-abc'", "'unsafe-eval'"}
    assert found["script-src-attr"] == found["object-src"] == found["base-uri"] == "'none'"
    assert not any("*" in sources or "http" in sources for sources in found.values())


def test_every_page_has_a_nonce_of_its_own():
    assert len({new_nonce() for _ in range(100)}) == 100
    assert len(new_nonce()) >= 16
