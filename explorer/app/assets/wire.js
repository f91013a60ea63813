// The connection: says when it is lost, keeps trying, and brings the page back with its state.
// The page is opened again, and its address restores it. Bokeh's own way, to pull the document into
// the page that is there, loses arrays and leaves the page half alive.
(() => {
  const OPENING = 30000 // ms a page may take to stand before it is opened again
  const LATE = 1500    // ms an answer may take before somebody who waits is told
  const EVERY = 5000   // ms between two looks at the server
  const lamp = document.createElement("div")
  lamp.id = "wire"
  lamp.setAttribute("role", "alert")
  lamp.hidden = true
  document.body.append(lamp)
  const pause = (ms) => new Promise((done) => setTimeout(done, ms))
  const say = (words) => { if (lamp.textContent !== words) lamp.textContent = words; lamp.hidden = !words }
  const alive = async (ms) => {
    try { return (await fetch("health", {cache: "no-store", signal: AbortSignal.timeout(ms)})).ok }
    catch { return false }
  }
  let leaving = false
  addEventListener("beforeunload", () => { leaving = true })
  addEventListener("pagehide", () => { leaving = true })
  addEventListener("pageshow", (event) => { if (event.persisted) location.reload() })

  let cut = false
  const lost = async () => {
    if (leaving || cut) return
    cut = true
    document.body.classList.add("cut")
    say("The connection to the server is lost. Trying again; what you see is kept.")
    await pause(300)
    while (!(await alive(3000))) await pause(700)
    say("The server is back. Opening the page again.")
    await pause(1000 * Math.random())  // a whole class comes back at once
    // an own file is handed from the session that was cut off to the next one
    const query = new URLSearchParams(location.search)
    query.set("before", document.documentElement.dataset.visit)
    location.replace(location.pathname + "?" + query)
  }
  const query = new URLSearchParams(location.search)
  if (query.has("before")) {
    query.delete("before")
    history.replaceState({}, "", location.pathname + (query.size ? "?" + query : ""))
  }

  // a link that is dead without a word is found out by asking, at the latest when it is used
  let asking = false
  const look = async () => {
    if (cut || asking || leaving || document.hidden) return
    asking = true
    const fine = await alive(LATE)
    asking = false
    if (cut || leaving) return
    say(fine ? "" : "The server does not answer. Waiting for it.")
    if (!fine) setTimeout(look, 500)
  }
  let last = 0
  const used = () => { const now = performance.now(); if (now - last > 1000) { last = now; look() } }
  for (const name of ["pointerdown", "keydown", "pointermove"]) addEventListener(name, (event) => {
    if (name !== "pointermove" || event.buttons) used()
  }, {passive: true})
  addEventListener("offline", look)
  setInterval(look, EVERY)

  const begin = () => {
    const doc = window.Bokeh && Bokeh.documents[0]
    if (doc) doc.on_event("connection_lost", lost)
    else if (performance.now() > OPENING) lost()  // its token may be too old
    else setTimeout(begin, 50)
  }
  begin()
})()
