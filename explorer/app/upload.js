// Own files: chosen with a button or dropped anywhere, and sent piece by piece.
(() => {
  const PIECE = 1 << 20
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
  // one field that stays: a browser may drop one that nothing refers to while its dialog is open
  const field = document.createElement("input")
  field.type = "file"
  field.addEventListener("change", () => { send(field.files[0]); field.value = "" })
  let soon = null
  window.fx_choose = () => {  // Enter on a button of Bokeh's is heard twice: at its down and its up
    clearTimeout(soon)
    soon = setTimeout(() => field.click(), 120)
  }
  const files = (event) => event.dataTransfer && [...event.dataTransfer.types].includes("Files")
  let over = 0
  const mark = (on) => document.body.classList.toggle("dropping", on)
  addEventListener("dragenter", (event) => { if (files(event)) { over++; mark(true) } })
  addEventListener("dragleave", (event) => { if (files(event) && --over <= 0) { over = 0; mark(false) } })
  addEventListener("dragover", (event) => { if (files(event)) event.preventDefault() })
  addEventListener("drop", (event) => {
    if (!files(event)) return
    event.preventDefault()
    over = 0
    mark(false)
    send(event.dataTransfer.files[0])
  })
})()
