// Page behaviour that needs no server: the drawer, the keys, the address, the first reveal.
(() => {
  const root = document.documentElement
  const model = (name) => {
    const doc = window.Bokeh && Bokeh.documents[0]
    if (!doc) return null
    for (const m of doc._all_models.values()) if (m.name === name || (m.tags && m.tags.includes(name))) return m
    return null
  }
  // Bokeh writes the position of every renderer into a style sheet at every paint, and asks for
  // computed styles in between: the same text written again would restyle the page each time.
  const keep_styles = () => {
    const sheet = Bokeh.require("core/dom").InlineStyleSheet.prototype
    const write = sheet._update
    sheet._update = function (css) { if (this.el.textContent !== css) write.call(this, css) }
  }
  // Nothing here has a double tap, and Bokeh would make one of any two taps within 0.3 s, wherever
  // they land: the second of two points painted quickly would be lost.
  const count_every_tap = () => {
    Bokeh.require("core/ui_gestures").UIGestures.doubletap_threshold = 0
  }
  // Bokeh takes models that the server has just sent for new ones of the browser's own, and sends
  // them back whole with the next message; the server then says that it knows them already.
  const know_what_came = () => {
    const page = Bokeh.require("document").Document.prototype
    const apply = page.apply_json_patch
    page.apply_json_patch = function (...patch) {
      const ours = new Set(this._new_models)
      apply.apply(this, patch)
      for (const m of this._new_models) if (!ours.has(m)) this._new_models.delete(m)
    }
  }
  const wait_for_bokeh = () => {
    if (window.Bokeh) for (const mend of [keep_styles, count_every_tap, know_what_came]) mend()
    else setTimeout(wait_for_bokeh, 5)
  }
  wait_for_bokeh()
  const reveal = () => {
    const doc = window.Bokeh && Bokeh.documents[0]
    if (doc && doc.is_idle) { document.body.classList.remove("loading"); start() }
    else setTimeout(reveal, 30)
  }
  const drawer = document.getElementById("drawer")
  // Bokeh puts the words of a check box beside it, not into a label: a click on them ticks it, too
  document.addEventListener("click", (event) => {
    const [at] = event.composedPath()
    const box = at.classList?.contains("bk-label") && at.getRootNode().querySelector("input[type=checkbox]")
    if (box) box.click()
  })
  drawer.addEventListener("click", () => {
    const open = document.body.classList.toggle("drawer")
    drawer.setAttribute("aria-expanded", String(open))
  })
  document.querySelector("main").addEventListener("pointerdown", () => {
    document.body.classList.remove("drawer"); drawer.setAttribute("aria-expanded", "false")
  })
  const keys = document.getElementById("keys")
  const show_keys = (on) => { keys.hidden = !on; if (on) keys.querySelector("button").focus() }
  keys.querySelector("button").addEventListener("click", () => show_keys(false))
  window.fx_keys = () => show_keys(keys.hidden)
  const typing = (event) => {
    const node = event.composedPath()[0]
    return node instanceof HTMLInputElement || node instanceof HTMLSelectElement ||
      node instanceof HTMLTextAreaElement
  }
  const on_slider = (event) => {
    const node = event.composedPath()[0]
    return node.getAttribute && node.getAttribute("role") === "slider"
  }
  const toggle = (name) => { const m = model(name); if (m) m.active = !m.active }
  // Painting by keys: arrows move a cross over all maps, Enter does there what the tool does.
  const maps = document.getElementById("maps")
  const move_pen = (across, up, act) => {
    const pen = model("pen")
    const plot = [...Bokeh.documents[0]._all_models.values()].find(
      (m) => m.type === "Figure" && m.renderers.some((r) => r.data_source === pen))
    if (!pen || !plot) return
    const old = (name) => (pen.data.get ? pen.data.get(name) : pen.data[name])[0]
    const next = (range, at, step) => {
      const size = range.end - range.start
      return Math.min(range.end, Math.max(range.start, (at ?? range.start + size / 2) + step * size))
    }
    const x = next(plot.x_range, old("x"), across), y = next(plot.y_range, old("y"), up)
    pen.data = {x: [x], y: [y], act: [(old("act") ?? 0) + (act ? 1 : 0)]}
  }
  const ways = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1]}
  window.fx_pen = () => { maps.focus(); move_pen(0, 0, false) }
  const paints = (event) => {
    if (document.activeElement !== maps || !model("paint")) return false
    const step = event.shiftKey ? 0.1 : 0.02, way = ways[event.key]
    if (way) move_pen(way[0] * step, way[1] * step, false)
    else if (event.key === "Enter") move_pen(0, 0, true)
    else if ("1234".includes(event.key)) model("paint class").active = Number(event.key) - 1
    else return false
    event.preventDefault()
    return true
  }
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || typing(event)) return
    if (paints(event)) return
    const on_button = event.composedPath()[0] instanceof HTMLButtonElement
    if (event.key === " " && !on_button) { toggle("play"); event.preventDefault() }
    else if (event.key === "p" || event.key === "P") toggle("present")
    else if (event.key === "t" || event.key === "T") toggle("dark")
    else if (event.key === "x" || event.key === "X") toggle("flip")
    else if (event.key === "?") show_keys(keys.hidden)
    else if (event.key === "Escape") { show_keys(false); const m = model("present"); if (m && m.active) m.active = false }
    else if (!on_slider(event) && (event.key === "ArrowLeft" || event.key === "ArrowRight")) {
      const trees = model("trees"); if (!trees) return
      const next = trees.value + (event.key === "ArrowRight" ? 1 : -1)
      if (next >= trees.start && next <= trees.end) { trees.value = next; trees.value_throttled = next }
    }
  })
  // Bokeh gives handles and icon buttons no names; tags "label:..." and "tip:..." do.
  const name_controls = () => {
    for (const m of Bokeh.documents[0]._all_models.values()) {
      const tags = (m.tags || []).filter((t) => typeof t === "string")
      const tip = tags.find((t) => t.startsWith("tip:"))
      const label = tags.find((t) => t.startsWith("label:"))
      if (!tip && !label && m.type !== "Slider") continue
      const view = Bokeh.index.find_one(m)
      if (!view || !view.el) continue
      if (tip) view.el.title = tip.slice(4)
      else if (label) view.el.title = label.slice(6)
      const part = view.shadow_el && view.shadow_el.querySelector(".noUi-handle, select, button, input")
      const words = label ? label.slice(6) : m.title
      if (part && words && part.getAttribute("aria-label") !== words) part.setAttribute("aria-label", words)
      // the arrows of a number field have no words of their own
      for (const arrow of (view.shadow_el ? view.shadow_el.querySelectorAll("button") : []))
        if (words && !arrow.textContent.trim() && !arrow.hasAttribute("aria-label")) arrow.setAttribute("aria-label", words)
    }
  }
  let naming = null
  const hot = new Set(["text", "data", "value", "value_throttled", "inner_width", "inner_height"])
  const name_soon = (event) => {
    // a moving slider changes texts, pictures and ranges, and none of them has a name
    if (hot.has(event.attr) || event.model?.type === "Range1d") return
    // not put off by further changes: while a tour plays there is no pause
    if (naming === null) naming = setTimeout(() => { naming = null; name_controls() }, 400)
  }
  // on a phone the row of tabs scrolls: the open one must be seen
  window.fx_show_tab = () => setTimeout(() => {
    const view = Bokeh.index.find_one(model("pages"))
    const tab = view && view.shadow_el.querySelector(".bk-active")
    if (tab) tab.scrollIntoView({block: "nearest", inline: "center"})
  }, 0)
  const start = () => {
    name_controls()
    window.fx_show_tab()
    Bokeh.documents[0].on_change(name_soon)
    const address = model("address")
    if (!address) return
    const here = () => location.search.replace(/^\?/, "")
    address.properties.value.change.connect(() => {
      const wanted = address.value.replace(/^[<>]/, "")
      if (wanted !== here()) history.pushState({}, "", location.pathname + (wanted ? "?" + wanted : ""))
    })
    window.addEventListener("popstate", () => { address.value = "<" + here() })
    const lead = model("lead")
    let touched = false
    document.addEventListener("pointerdown", () => { touched = true }, {once: true})
    document.addEventListener("keydown", () => { touched = true }, {once: true})
    setTimeout(() => {
      if (!touched && lead) { const classes = lead.css_classes; lead.css_classes = [...classes, "pulse"] }
    }, 8000)
  }
  reveal()
})()
