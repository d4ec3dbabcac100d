// What is sent twice by a second press is done once anyway; this only keeps the press from looking lost. The pages work without it.
;(() => {
  addEventListener('submit', (event) => {
    const { target, submitter } = event
    if (target.dataset.sent === '1') return event.preventDefault()
    target.dataset.sent = '1'
    if (submitter) submitter.style.opacity = '0.65'
  })
  // A photo leaves small; what this browser cannot read goes as it is and the server says why not.
  const shrunk = async (file) => {
    try {
      const picture = await createImageBitmap(file, { imageOrientation: 'from-image' })
      const scale = Math.min(1, 1600 / Math.max(picture.width, picture.height))
      const canvas = document.createElement('canvas')
      canvas.width = Math.max(1, Math.round(picture.width * scale))
      canvas.height = Math.max(1, Math.round(picture.height * scale))
      canvas.getContext('2d').drawImage(picture, 0, 0, canvas.width, canvas.height)
      picture.close()
      const blob = await new Promise((done) => canvas.toBlob(done, 'image/jpeg', 0.8))
      return blob && blob.size < file.size ? new File([blob], file.name, { type: 'image/jpeg' }) : file
    } catch {
      return file
    }
  }
  for (const input of document.querySelectorAll('input[data-photos]')) {
    const chosen = document.createElement('span')
    chosen.className = 'chosen'
    input.after(chosen)
    let turn = 0
    input.addEventListener('change', async () => {
      const files = [...input.files]
      const own = ++turn
      // what was wrong was said of the photos before
      input.removeAttribute('aria-invalid')
      input.closest('label').querySelector('em')?.remove()
      const button = input.form.querySelector('button[type=submit]')
      button.disabled = true
      const kept = new DataTransfer()
      for (const file of files) kept.items.add(await shrunk(file))
      if (own !== turn) return
      button.disabled = false
      input.files = kept.files
      for (const old of chosen.querySelectorAll('img')) URL.revokeObjectURL(old.src)
      chosen.replaceChildren(
        ...[...kept.files].map((file) => {
          const picture = new Image()
          picture.src = URL.createObjectURL(file)
          picture.alt = file.name
          return picture
        }),
      )
    })
  }
  // Back from another page the browser shows this one as it was left.
  addEventListener('pageshow', () => {
    for (const form of document.forms) delete form.dataset.sent
    for (const button of document.querySelectorAll('button')) button.style.opacity = ''
  })
})()
