// A move's changes come as one message (session/frame_message.py): spread them over the models.
(() => {
  const spread = (doc, {changes, bytes}) => {
    const {ndarray} = Bokeh.require("core/util/ndarray")
    const start = bytes.byteOffset
    const value_of = (value) => {
      if (Array.isArray(value)) return value.map(value_of)
      if (value === null || typeof value !== "object") return value
      const {at, dtype, shape} = value
      const size = shape.reduce((n, m) => n * m, 1) * Number(dtype.replace(/\D+/, "")) / 8
      return ndarray(bytes.buffer.slice(start + at, start + at + size), {dtype, shape})
    }
    for (const [id, attr, value] of JSON.parse(changes)) {
      const model = doc.get_model_by_id(id)
      if (!model) continue  // it went while the message was on its way
      if (attr !== "data") { model.setv({[attr]: value}, {sync: false}); continue }
      const data = {}
      for (const [name, column] of Object.entries(value)) data[name] = value_of(column)
      model.setv({data}, {sync: false, check_eq: false})
    }
  }
  // heard from the first message on: before a document is there, nobody can listen to it
  const listen = () => {
    const page = Bokeh.require("document").Document.prototype
    const apply = page.apply_json_patch
    page.apply_json_patch = function (...patch) {
      if (!this.fx_frames) {
        this.fx_frames = true
        this.on_message("frame", (data) => spread(this, data instanceof Map ? Object.fromEntries(data) : data))
      }
      return apply.apply(this, patch)
    }
  }
  const wait_for_bokeh = () => { if (window.Bokeh) listen(); else setTimeout(wait_for_bokeh, 5) }
  wait_for_bokeh()
})()
