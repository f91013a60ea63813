// Lessons in the browser: the list, the panel, links to steps without loading the page again.
(() => {
  const list = document.getElementById("lessons")
  const panel = document.getElementById("lesson")
  const model = (name) => {
    const doc = window.Bokeh && Bokeh.documents[0]
    if (!doc) return null
    for (const m of doc._all_models.values()) if (m.name === name || (m.tags && m.tags.includes(name))) return m
    return null
  }
  const part = (name, what) => {
    const m = model(name), view = m && Bokeh.index.find_one(m)
    return view && view.shadow_el ? view.shadow_el.querySelector(what) : null
  }
  let entering = false  // a lesson was chosen in the list: its panel gets the focus once it is there
  const press = (name) => { const b = part(name, "button"); if (b && !b.disabled && b.offsetParent !== null) b.click() }
  // press a button that is not seen; the server decides whether there is something to reveal
  const tell = (name) => {
    const m = model(name), {ButtonClick} = Bokeh.require("core/bokeh_events")
    if (m) m.trigger_event(new ButtonClick())
  }
  const show = (on) => {
    list.hidden = !on
    const opener = part("picker", "button")
    if (opener) opener.setAttribute("aria-expanded", String(on))
    if (on) setTimeout(() => { const a = part("list", "a"); if (a) a.focus() }, 50)
  }
  window.fx_lessons = () => show(list.hidden)
  const anchor = (event) => event.composedPath().find((n) => n instanceof HTMLAnchorElement && "lesson" in n.dataset)
  document.addEventListener("click", (event) => {
    const a = anchor(event)
    if (a) {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return
      event.preventDefault()
      const query = a.getAttribute("href").slice(1), address = model("address")
      if (!address) return
      if (location.search !== "?" + query) history.pushState({}, "", location.pathname + "?" + query)
      address.value = "<" + query
      if (!list.hidden) { show(false); entering = true; panel.focus() }
    } else if (!list.hidden && !event.composedPath().includes(list)) {
      const opener = part("picker", "button")
      if (!event.composedPath().includes(opener)) show(false)
    }
  })
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !list.hidden) { show(false); const b = part("picker", "button"); if (b) b.focus() }
    const node = event.composedPath()[0]
    const typing = node instanceof HTMLInputElement || node instanceof HTMLSelectElement || node instanceof HTMLTextAreaElement
    if (event.ctrlKey || event.metaKey || event.altKey || typing) return
    if (event.key === "r" || event.key === "R") tell("lesson-reveal-key")
  })
  // arrows inside the panel are steps of the lesson, not trees of the forest
  panel.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return
    event.stopPropagation()
    press(event.key === "ArrowLeft" ? "lesson-back" : "lesson-next")
  })
  // the element under an ancestor that holds this one, through shadow roots
  const host_of = (el, above) => {
    let at = el
    while (at && !above.contains(at)) { const root = at.getRootNode(); at = root.host || null }
    return at
  }
  // into sight, and not under the sheet; what is in the closed drawer is found by its button
  const drawer = document.getElementById("drawer")
  const bring_to_sight = (el) => {
    if (host_of(el, document.getElementById("side")) !== null && getComputedStyle(drawer).display !== "none") {
      drawer.classList.add("wanted")
      return
    }
    el.scrollIntoView({block: "nearest"})
    if (getComputedStyle(panel).position !== "sticky") return
    const hidden = el.getBoundingClientRect().bottom - panel.getBoundingClientRect().top
    if (hidden > 0) window.scrollBy(0, hidden + 16)
  }
  window.fx_fold = () => document.body.classList.toggle("folded")
  const follow = (words) => {
    const was = document.body.classList.contains("lesson")
    document.body.classList.toggle("lesson", words !== "")
    if (was && words === "") { const b = part("picker", "button"); if (b && panel.contains(document.activeElement)) b.focus() }
    if (words !== "" && entering) { entering = false; panel.focus() }
    panel.scrollTop = 0
    document.body.classList.remove("folded")
    drawer.classList.remove("wanted")
    setTimeout(() => {
      for (const m of Bokeh.documents[0]._all_models.values()) {
        const view = m.css_classes && m.css_classes.includes("wanted") && Bokeh.index.find_one(m)
        if (view && view.el) bring_to_sight(view.el)
      }
    }, 300)
  }
  const start = () => {
    const signal = model("guide")
    if (!signal || !Bokeh.documents[0].is_idle) { setTimeout(start, 50); return }
    follow(signal.value)
    signal.properties.value.change.connect(() => follow(signal.value))
    const opener = part("picker", "button")
    if (opener) opener.setAttribute("aria-expanded", "false")
  }
  start()
})()
