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

  // ---- a picture on its own: its title, the models and the legend go with it
  const SPACE = "http://www.w3.org/2000/svg"
  const SHAPES = {circle: "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z", triangle: "M0 -6 5.5 5h-11z",
    square: "M-4.5 -4.5h9v9h-9z", diamond: "M0 -6 4.5 0 0 6 -4.5 0z", inverted_triangle: "M0 6 5.5 -5h-11z",
    hex: "M0 -5.5 5 -2.7v5.4L0 5.5l-5 -2.8v-5.4z"}
  const OTHER = "M-5 -1.5h3.5v-3.5h3v3.5h3.5v3h-3.5v3.5h-3v-3.5h-3.5z"
  const caption = () => {
    for (const m of Bokeh.documents[0]._all_models.values()) if (m.name === "export words") return m.tags
    return ["", "", []]
  }
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim()
  const ruler = document.createElement("canvas").getContext("2d")
  const add = (to, tag, values, text) => {
    const node = document.createElementNS(SPACE, tag)
    for (const [key, value] of Object.entries(values)) node.setAttribute(key, value)
    if (text != null) node.textContent = text
    to.appendChild(node)
    return node
  }
  // words in lines of a width; a word that is wider has a line of its own
  const lines_of = (text, size, width) => {
    ruler.font = `${size}px sans-serif`
    const lines = [""]
    for (const word of text.split(" ")) {
      const longer = lines.at(-1) ? `${lines.at(-1)} ${word}` : word
      if (ruler.measureText(longer).width <= width) lines[lines.length - 1] = longer
      else lines.push(word)
    }
    return lines.filter((line) => line)
  }
  const PAD = 12
  const head = (whole, title, width) => {
    const [data, models, classes] = caption()
    const room = width - 2 * PAD, ink = colour("--ink"), font = "system-ui, sans-serif"
    let y = PAD
    const write = (text, size, weight, fill) => {
      for (const line of lines_of(text, size, room)) {
        y += Math.round(1.3 * size)
        add(whole, "text", {x: PAD, y, "font-family": font, "font-size": size, "font-weight": weight, fill}, line)
      }
    }
    write([title, data].filter((w) => w).join(": "), 16, 600, ink)
    write(models, 13, 400, colour("--muted"))
    let x = PAD
    y += 20
    ruler.font = "13px sans-serif"
    for (const [name, fill, marker] of classes) {
      const wide = 24 + ruler.measureText(name).width
      if (x > PAD && x + wide > width - PAD) { x = PAD; y += 20 }
      add(whole, "path", {d: SHAPES[marker] || OTHER, transform: `translate(${x + 6} ${y - 4})`, fill, stroke: ink})
      add(whole, "text", {x: x + 16, y, "font-family": font, "font-size": 13, fill: ink}, name)
      x += wide + 10
    }
    return y + PAD
  }
  // several figures of one picture stand under each other
  const compose = async (figures, title) => {
    const seen = views(figures)
    if (!seen.length) return null
    const whole = document.createElementNS(SPACE, "svg")
    const width = Math.max(...seen.map((view) => view.bbox.width), 320)
    const back = add(whole, "rect", {width: "100%", height: "100%", fill: colour("--card")})
    let y = title == null ? 0 : head(whole, title, width)
    for (const view of seen) {
      const text = await (await view.export("svg", false).to_blob()).text()
      const part = new DOMParser().parseFromString(text, "image/svg+xml").documentElement
      const {width: w, height: h} = view.bbox
      part.setAttribute("y", y); part.setAttribute("width", w); part.setAttribute("height", h)
      whole.appendChild(document.importNode(part, true))
      y += h
    }
    back.setAttribute("height", y)
    whole.setAttribute("width", width); whole.setAttribute("height", y)
    whole.setAttribute("viewBox", `0 0 ${width} ${y}`)
    return {width, height: y, blob: new Blob([new XMLSerializer().serializeToString(whole)], {type: "image/svg+xml"})}
  }
  const svg_of = async (figures, title) => (await compose(figures, title))?.blob ?? null
  // drawn again from its lines, with at least twice the pixels of the screen
  const png_of = async (figures, title) => {
    const made = await compose(figures, title)
    if (!made) return null
    const scale = 2 * Math.max(1, window.devicePixelRatio || 1)
    const url = URL.createObjectURL(made.blob)
    try {
      const image = new Image()
      image.width = made.width; image.height = made.height
      await new Promise((done, fail) => { image.onload = done; image.onerror = fail; image.src = url })
      const canvas = document.createElement("canvas")
      canvas.width = Math.round(scale * made.width); canvas.height = Math.round(scale * made.height)
      const ctx = canvas.getContext("2d")
      ctx.drawImage(image, 0, 0, canvas.width, canvas.height)
      return await new Promise((done) => canvas.toBlob(done, "image/png"))
    } finally { URL.revokeObjectURL(url) }
  }

  let count = 0, waiting = null
  const ask = (outbox, name) => { outbox.tags = [name, ++count] }
  const save = async (kind, figures, name, outbox, title) => {
    if (kind === "csv") return ask(outbox, `${name}.csv`)
    const words = title.replace(/^Save /, "")
    const heading = words.charAt(0).toUpperCase() + words.slice(1)
    const blob = await (kind === "png" ? png_of : svg_of)(figures, heading)
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
    kinds.map((kind) => [kind.toUpperCase(), HINTS[kind], () => save(kind, figures, name, outbox, title)]))
  window.fx_export = (button, outbox, items) => show(button, "Export",
    items.map(([name, words, hint]) => [words, hint, () => {
      waiting = button
      button.label = "Making the file"
      ask(outbox, name)
    }]))
})()
