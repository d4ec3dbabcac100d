// Keeps a visit's page true while it is looked at: the server draws it anew, this puts it in place. Without it the page stands as it was loaded.
;(() => {
  const everyMs = 30_000
  let asking = false
  const renew = async () => {
    if (asking || document.hidden) return
    asking = true
    try {
      const answer = await fetch(location.href, { cache: 'no-store' })
      if (answer.status === 404) location.reload()
      if (!answer.ok) return
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
      for (const id of ['live', 'asof']) {
        const [now, then] = [page.getElementById(id), document.getElementById(id)]
        // Pictures carry addresses that end: only what is said counts as a change, so that nothing flickers.
        if (now && then && now.textContent !== then.textContent) then.replaceChildren(...now.childNodes)
      }
    } catch {
      // No signal: what stands there says as of when it is.
    } finally {
      asking = false
    }
  }
  setInterval(renew, everyMs)
  document.addEventListener('visibilitychange', renew)
  addEventListener('online', renew)
})()
