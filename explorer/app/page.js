// Page behaviour that needs no server: the drawer, the keys, the address, the first reveal.
(() => {
  const root = document.documentElement
  const model = (name) => {
    const doc = window.Bokeh && Bokeh.documents[0]
    if (!doc) return null
    for (const m of doc._all_models.values()) if (m.name === name || (m.tags && m.tags.includes(name))) return m
    return null
  }
  const reveal = () => {
    const doc = window.Bokeh && Bokeh.documents[0]
    if (doc && doc.is_idle) { document.body.classList.remove("loading"); start() }
    else setTimeout(reveal, 30)
  }
  const drawer = document.getElementById("drawer")
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
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || typing(event)) return
    const on_button = event.composedPath()[0] instanceof HTMLButtonElement
    if (event.key === " " && !on_button) { toggle("play"); event.preventDefault() }
    else if (event.key === "p" || event.key === "P") toggle("present")
    else if (event.key === "t" || event.key === "T") toggle("dark")
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
    }
  }
  let naming = null
  const name_soon = () => { clearTimeout(naming); naming = setTimeout(name_controls, 400) }
  const start = () => {
    name_controls()
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
