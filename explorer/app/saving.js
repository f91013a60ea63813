// Files that leave the page: one menu for all pictures, and what Python sends.
(() => {
  const download = (blob, name) => {
    const link = document.createElement("a")
    link.href = URL.createObjectURL(blob)
    link.download = name
    link.click()
    setTimeout(() => URL.revokeObjectURL(link.href), 10000)
  }
  const views = (figures) => figures.map((f) => Bokeh.index.find_one(f))
    .filter((v) => v != null && v.bbox.width > 0 && v.bbox.height > 0)

  // several figures of one picture stand under each other
  const png_of = async (figures) => {
    const parts = views(figures).map((v) => v.export("png", true).canvas)
    if (!parts.length) return null
    if (parts.length === 1) return new Promise((done) => parts[0].toBlob(done, "image/png"))
    const whole = document.createElement("canvas")
    whole.width = Math.max(...parts.map((p) => p.width))
    whole.height = parts.reduce((sum, p) => sum + p.height, 0)
    const ctx = whole.getContext("2d")
    let y = 0
    for (const part of parts) { ctx.drawImage(part, 0, y); y += part.height }
    return new Promise((done) => whole.toBlob(done, "image/png"))
  }
  const svg_of = async (figures) => {
    const space = "http://www.w3.org/2000/svg"
    const whole = document.createElementNS(space, "svg")
    let width = 0, y = 0
    for (const view of views(figures)) {
      const text = await (await view.export("svg", false).to_blob()).text()
      const part = new DOMParser().parseFromString(text, "image/svg+xml").documentElement
      const {width: w, height: h} = view.bbox
      part.setAttribute("y", y); part.setAttribute("width", w); part.setAttribute("height", h)
      whole.appendChild(document.importNode(part, true))
      width = Math.max(width, w); y += h
    }
    if (!y) return null
    whole.setAttribute("width", width); whole.setAttribute("height", y)
    whole.setAttribute("viewBox", `0 0 ${width} ${y}`)
    return new Blob([new XMLSerializer().serializeToString(whole)], {type: "image/svg+xml"})
  }

  let count = 0, waiting = null
  const ask = (outbox, name) => { outbox.tags = [name, ++count] }
  const save = async (kind, figures, name, outbox) => {
    if (kind === "csv") return ask(outbox, `${name}.csv`)
    const blob = await (kind === "png" ? png_of(figures) : svg_of(figures))
    if (blob) download(blob, `${name}.${kind}`)
  }

  // a report gets the pictures of the page that is open, as they are seen
  const with_pictures = async (html) => {
    const report = new DOMParser().parseFromString(html, "text/html")
    const link = report.getElementById("link")
    if (link) { link.href = location.href; link.textContent = location.href }
    const place = report.getElementById("seen")
    const whole = () => "<!DOCTYPE html>\n" + report.documentElement.outerHTML
    if (!place) return whole()
    const url = (blob) => new Promise((done) => {
      const reader = new FileReader()
      reader.onload = () => done(reader.result)
      reader.readAsDataURL(blob)
    })
    for (const model of Bokeh.documents[0]._all_models.values()) {
      if (model.type !== "Figure" || !views([model]).length) continue
      const view = Bokeh.index.find_one(model)
      if (view.el.getClientRects().length === 0) continue
      const blob = await png_of([model])
      if (!blob) continue
      const figure = report.createElement("figure")
      const image = report.createElement("img")
      image.src = await url(blob)
      image.width = Math.round(view.bbox.width)
      // the words beside a picture go with it; small maps have a title of their own
      const said = new Map(Object.entries(model.html_attributes || {})).get("aria-label")
      const words = (model.title && model.title.text) || said || (model.name || "").replace(/^picture /, "")
      image.alt = words || "A picture of this page"
      figure.appendChild(image)
      if (words) {
        const caption = report.createElement("figcaption")
        caption.textContent = words
        figure.appendChild(caption)
      }
      place.appendChild(figure)
    }
    if (!place.querySelector("img")) place.remove()
    return whole()
  }
  const TYPES = {csv: "text/csv", html: "text/html", py: "text/x-python", zip: "application/zip"}
  window.fx_received = async (outbox) => {
    const content = outbox.get_column("content")
    if (waiting) { waiting.label = "Export"; waiting = null }
    if (!content || content.length === 0) return
    const bytes = new Uint8Array(content)
    const name = outbox.name
    outbox.data = {content: []}
    const ending = name.slice(name.lastIndexOf(".") + 1)
    const type = TYPES[ending] || "application/octet-stream"
    if (ending === "html") {
      const html = await with_pictures(new TextDecoder().decode(bytes))
      download(new Blob([html], {type}), name)
    } else download(new Blob([bytes], {type}), name)
  }

  // ---- the menu

  let open = null
  const close = (back) => {
    if (!open) return
    const {menu, anchor} = open
    open = null
    menu.remove()
    if (back && anchor) anchor.focus()
  }
  const show = (button, title, items) => {
    const view = Bokeh.index.find_one(button)
    if (!view) return
    const was = open && open.view === view
    if (was && performance.now() - open.since < 300) return  // Enter is heard twice
    close(false)
    if (was) return
    const anchor = view.shadow_el.querySelector("button")
    const menu = document.createElement("div")
    menu.className = "menu"
    menu.setAttribute("role", "menu")
    menu.setAttribute("aria-label", title)
    for (const [words, hint, act] of items) {
      const item = document.createElement("button")
      item.type = "button"
      item.setAttribute("role", "menuitem")
      item.textContent = words
      if (hint) {
        const small = document.createElement("small")
        small.textContent = hint
        item.appendChild(small)
      }
      item.addEventListener("click", () => { close(true); act() })
      menu.appendChild(item)
    }
    document.body.appendChild(menu)
    const box = view.el.getBoundingClientRect(), own = menu.getBoundingClientRect()
    menu.style.left = `${Math.max(8, Math.min(box.right - own.width, innerWidth - own.width - 8))}px`
    const below = box.bottom + 4
    menu.style.top = `${below + own.height < innerHeight - 8 ? below : Math.max(8, box.top - own.height - 4)}px`
    open = {menu, anchor, view, since: performance.now()}
    const all = [...menu.querySelectorAll("button")]
    all[0].focus()
    menu.addEventListener("keydown", (event) => {
      const at = all.indexOf(document.activeElement)
      const to = {ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1}[event.key]
      if (to !== undefined) { all[(to + all.length) % all.length].focus(); event.preventDefault() }
      else if (event.key === "Escape" || event.key === "Tab") { close(true); event.preventDefault() }
      event.stopPropagation()
    })
  }
  document.addEventListener("pointerdown", (event) => {
    if (open && !event.composedPath().some((node) => node === open.menu || node === open.view.el)) close(false)
  }, true)
  addEventListener("resize", () => close(false))
  const HINTS = {png: "picture", svg: "picture, sharp at any size", csv: "its numbers"}
  window.fx_menu = (button, figures, name, title, outbox, kinds) => show(button, title,
    kinds.map((kind) => [kind.toUpperCase(), HINTS[kind], () => save(kind, figures, name, outbox)]))
  window.fx_export = (button, outbox, items) => show(button, "Export",
    items.map(([name, words, hint]) => [words, hint, () => {
      waiting = button
      button.label = "Making the file"
      ask(outbox, name)
    }]))
})()
