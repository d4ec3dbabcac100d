// What is sent twice by a second press is done once anyway; this only keeps the press from looking lost. The pages work without it.
;(() => {
  addEventListener('submit', (event) => {
    const { target, submitter } = event
    if (target.dataset.sent === '1') return event.preventDefault()
    target.dataset.sent = '1'
    if (submitter) submitter.style.opacity = '0.65'
  })
  // Back from another page the browser shows this one as it was left.
  addEventListener('pageshow', () => {
    for (const form of document.forms) delete form.dataset.sent
    for (const button of document.querySelectorAll('button')) button.style.opacity = ''
  })
})()
