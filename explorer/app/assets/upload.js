// Own files: one, several or a folder, chosen with a button or dropped, and sent piece by piece.
(() => {
  const PIECE = 1 << 20, MOST = 20000
  const inbox = () => {
    const doc = window.Bokeh && Bokeh.documents[0]
    if (!doc) return null
    for (const m of doc._all_models.values()) if (m.name && m.name.startsWith("inbox")) return m
    return null
  }
  let current = 0
  const answer = (box, number) => new Promise((done) => {
    const look = () => {
      const [, of, what] = box.name.split(" ")
      if (Number(of) !== number) return
      box.properties.name.change.disconnect(look)
      done(what)
    }
    box.properties.name.change.connect(look)
  })
  const send = async (file) => {
    const box = inbox()
    if (!box || !file) return
    const number = ++current
    let at = 0
    do {
      let part = new ArrayBuffer(0), size = file.size
      try { part = await file.slice(at, at + PIECE).arrayBuffer() } catch { size = -1 }
      if (number !== current) return
      const heard = answer(box, number)
      box.tags = [number, file.name, size, at, part]
      at += part.byteLength
      if (await heard === "stop") break
    } while (at < file.size)
    box.tags = []
  }
  // several files as one: a list of paths and sizes, then the files (state/bundle.py)
  const together = async (found, name) => {
    const list = [], parts = []
    for (const [path, file] of found) {
      try {
        await file.slice(0, 1).arrayBuffer()
        list.push([path, file.size])
        parts.push(file)
      } catch { list.push([path, -1]) }
    }
    const head = new TextEncoder().encode(JSON.stringify(list))
    const size = new Uint8Array(4)
    new DataView(size.buffer).setUint32(0, head.length, true)
    const whole = new Blob(["FXFILES1", size, head, ...parts])
    return {name: "files:" + name, size: whole.size, slice: (a, b) => whole.slice(a, b)}
  }
  const take = async (found) => {  // [[path, file], ...]
    if (!found.length) return
    const [path, file] = found[0]
    if (found.length === 1 && !path.includes("/") && !/\.zip$/i.test(path)) return send(file)
    const top = path.includes("/") ? path.split("/")[0] : found.length === 1 ? path : `${found.length} files`
    return send(await together(found, top))
  }
  const inside = async (entry, path, found) => {  // a dropped file or folder
    if (found.length >= MOST) return
    if (entry.isFile) {
      await new Promise((done) => entry.file((f) => { found.push([path, f]); done() }, done))
      return
    }
    const reader = entry.createReader()
    for (;;) {  // a folder is listed a hundred entries at a time
      const some = await new Promise((done) => reader.readEntries(done, () => done([])))
      if (!some.length) return
      for (const one of some) await inside(one, `${path}/${one.name}`, found)
    }
  }
  // fields that stay: a browser may drop one that nothing refers to while its dialog is open
  const field = (folder) => {
    const made = document.createElement("input")
    made.type = "file"
    made.multiple = true
    made.webkitdirectory = folder
    made.addEventListener("change", () => {
      const found = [...made.files].map((f) => [f.webkitRelativePath || f.name, f])
      made.value = ""
      take(found)
    })
    return made
  }
  const fields = [field(false), field(true)]
  let soon = null
  window.fx_choose = (folder) => {  // Enter on a button of Bokeh's is heard twice: at its down and its up
    clearTimeout(soon)
    soon = setTimeout(() => fields[folder ? 1 : 0].click(), 120)
  }
  const files = (event) => event.dataTransfer && [...event.dataTransfer.types].includes("Files")
  let over = 0
  const mark = (on) => document.body.classList.toggle("dropping", on)
  addEventListener("dragenter", (event) => { if (files(event)) { over++; mark(true) } })
  addEventListener("dragleave", (event) => { if (files(event) && --over <= 0) { over = 0; mark(false) } })
  addEventListener("dragover", (event) => { if (files(event)) event.preventDefault() })
  addEventListener("drop", async (event) => {
    if (!files(event)) return
    event.preventDefault()
    over = 0
    mark(false)
    // the items are gone once this handler has returned: look at them first, read them after
    const items = [...event.dataTransfer.items].filter((item) => item.kind === "file")
    const dropped = items.map((item) => [item.webkitGetAsEntry && item.webkitGetAsEntry(), item.getAsFile()])
    const found = []
    for (const [entry, file] of dropped) {
      if (entry) await inside(entry, entry.name, found)
      else if (file) found.push([file.name, file])
    }
    take(found)
  })
})()
