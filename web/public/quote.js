// Shows what another package or option comes to at once, takes a drawn signature, and says that a person has the page before them. Without it the page is read, chosen and signed as it stands.
;(() => {
  const form = document.getElementById('quote')
  const token = form?.dataset?.token
  if (!token) return

  // A scanner opens links and does nothing; whoever looks for a moment or touches the page is a person. The office has a session in this browser and is not counted.
  const isOffice = () => /(?:^|; )swath_app=/.test(document.cookie)
  let told = false
  const see = () => {
    if (told || document.visibilityState !== 'visible' || isOffice()) return
    told = true
    void fetch(`/quote/${token}/seen`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: '',
      keepalive: true,
    }).catch(() => undefined)
  }
  for (const kind of ['pointerdown', 'keydown', 'scroll', 'touchstart'])
    addEventListener(kind, see, { once: true, passive: true })
  setTimeout(see, 4000)

  // The server adds up: what it answers replaces the lines and the sums.
  const update = document.getElementById('update')
  if (update) update.hidden = true
  let last = 0
  form.addEventListener('change', async (event) => {
    const { name } = event.target
    if (name !== 'package' && name !== 'prepay' && !name?.startsWith('option-')) return
    const turn = ++last
    const body = new URLSearchParams()
    for (const [key, value] of new FormData(form))
      if (key === 'package' || key === 'prepay' || key.startsWith('option-')) body.set(key, String(value))
    const button = document.getElementById('sign-button')
    button.setAttribute('aria-busy', 'true')
    try {
      const answer = await fetch(`/quote/${token}/choose`, { method: 'POST', body })
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
      if (turn !== last) return
      if (!answer.ok || !page.getElementById('sums')) return location.reload()
      const focused = document.activeElement?.name
      document.getElementById('lines').replaceWith(page.getElementById('lines'))
      document.getElementById('sums').replaceWith(page.getElementById('sums'))
      const ways = page.getElementById('ways')
      if (ways) document.getElementById('ways')?.replaceWith(ways)
      document.getElementById('expected').value = page.getElementById('expected').value
      button.textContent = page.getElementById('sign-button').textContent
      const again = form.elements[focused]
      if (again instanceof RadioNodeList) [...again].find(({ checked }) => checked)?.focus()
      else again?.focus?.()
    } catch {
      if (turn === last && update) update.hidden = false
    } finally {
      button.removeAttribute('aria-busy')
    }
  })

  const pad = document.getElementById('pad')
  const canvas = document.getElementById('canvas')
  const strokes = document.getElementById('strokes')
  const pen = canvas?.getContext('2d')
  if (pad && pen) {
    pad.hidden = false
    let lines = []
    let line = null
    const draw = () => {
      const { width, height } = canvas
      pen.clearRect(0, 0, width, height)
      pen.lineWidth = 3
      pen.lineCap = 'round'
      pen.lineJoin = 'round'
      pen.strokeStyle = '#16211a'
      for (const points of lines) {
        pen.beginPath()
        for (let at = 0; at + 1 < points.length; at += 2) pen.lineTo(points[at] * width, points[at + 1] * height)
        pen.stroke()
      }
      strokes.value = lines.length > 0 ? JSON.stringify(lines) : ''
    }
    const at = (event) => {
      const box = canvas.getBoundingClientRect()
      const share = (value) => Math.round(Math.min(1, Math.max(0, value)) * 1000) / 1000
      return [share((event.clientX - box.left) / box.width), share((event.clientY - box.top) / box.height)]
    }
    canvas.addEventListener('pointerdown', (event) => {
      if (lines.length >= 40) return
      event.preventDefault()
      canvas.setPointerCapture(event.pointerId)
      line = [...at(event)]
      lines.push(line)
    })
    canvas.addEventListener('pointermove', (event) => {
      if (!line || line.length >= 600) return
      line.push(...at(event))
      draw()
    })
    const end = () => {
      if (line && line.length < 4) lines = lines.filter((one) => one !== line)
      line = null
      draw()
    }
    canvas.addEventListener('pointerup', end)
    canvas.addEventListener('pointercancel', end)
    document.getElementById('clear').addEventListener('click', () => {
      lines = []
      draw()
    })
  }

  form.addEventListener('submit', (event) => {
    const button = document.getElementById('sign-button')
    if (event.submitter !== button) return
    if (button.getAttribute('aria-busy') === 'true') return event.preventDefault()
    button.setAttribute('aria-busy', 'true')
    button.textContent = button.dataset.busy
  })
})()
