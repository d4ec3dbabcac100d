// Adds up what is checked on a statement and says it on the buttons. Without it the page is read and paid as it stands.
;(() => {
  const form = document.getElementById('pay')
  const button = form?.querySelector('[data-pay]')
  if (!form || !button) return
  const byBank = form.querySelector('[data-bank]')
  const boxes = [...form.querySelectorAll('input[data-cents]')]
  const words = (cents) => `$${(cents / 100).toLocaleString('en-US', { minimumFractionDigits: 2 })}`
  const sum = (chosen, of) => words(chosen.reduce((all, box) => all + Number(box.dataset[of]), 0))
  const show = () => {
    const chosen = boxes.filter((box) => box.checked)
    button.textContent = chosen.length === 0 ? button.dataset.none : `${button.dataset.pay}${sum(chosen, 'cents')}`
    if (!byBank) return
    byBank.hidden = chosen.length === 0
    byBank.textContent = byBank.dataset.bank.replace('{sum}', sum(chosen, 'bankCents'))
  }
  form.addEventListener('change', show)
  // Back from the payment page the browser shows this one as it was left.
  addEventListener('pageshow', () => {
    button.removeAttribute('aria-busy')
    show()
  })
  form.addEventListener('submit', (event) => {
    if (button.getAttribute('aria-busy') === 'true') return event.preventDefault()
    button.setAttribute('aria-busy', 'true')
    const pressed = event.submitter ?? button
    pressed.textContent = pressed.dataset.opening
  })
})()
