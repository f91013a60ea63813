// Preparation steps are dragged by their names; the server is told "from to number of the drag".
(() => {
  let from = null, drags = 0, marked = null
  const step = (event) => event.composedPath().find((node) => node.classList?.contains("stepname"))
  const mark = (node) => {
    marked?.classList.remove("over")
    marked = node
    marked?.classList.add("over")
  }
  addEventListener("dragstart", (event) => {
    const node = step(event)
    if (!node) return
    from = node.dataset.step
    event.dataTransfer.effectAllowed = "move"
    event.dataTransfer.setData("text/plain", node.textContent)
  })
  addEventListener("dragover", (event) => {
    const node = from === null ? null : step(event)
    mark(node ?? null)
    if (node) event.preventDefault()
  })
  addEventListener("drop", (event) => {
    const node = from === null ? null : step(event)
    if (!node) return
    event.preventDefault()
    for (const m of Bokeh.documents[0]._all_models.values())
      if (m.tags?.includes("order of steps")) m.value = `${from} ${node.dataset.step} ${++drags}`
  })
  addEventListener("dragend", () => { from = null; mark(null) })
})()
