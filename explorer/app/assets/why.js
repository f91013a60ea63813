// A row of a table that names a sample asks why it is judged as it is: by a click, or by Enter.
(() => {
  let asked = 0
  const ask = (event) => {
    const row = event.composedPath().find((part) => part.dataset && part.dataset.why)
    const doc = window.Bokeh && Bokeh.documents[0]
    const question = row && doc && doc.get_model_by_name("why asked")
    if (question) question.data = {row: [`${row.dataset.why}/${++asked}`]}
  }
  addEventListener("click", ask)
  addEventListener("keydown", (event) => { if (event.key === "Enter") ask(event) })
})()
