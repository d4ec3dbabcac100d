// Adds up what is checked on a statement and says it on the button. Without it the page is read and paid as it stands.
;(() => {
  const form = document.getElementById('pay')
  const button = form?.querySelector('[data-pay]')
  if (!form || !button) return
  const boxes = [...form.querySelectorAll('input[data-cents]')]
  const words = (cents) => `$${(cents / 100).toLocaleString('en-US', { minimumFractionDigits: 2 })}`
  const show = () => {
    const chosen = boxes.filter((box) => box.checked)
    const cents = chosen.reduce((sum, box) => sum + Number(box.dataset.cents), 0)
    button.textContent = chosen.length === 0 ? button.dataset.none : `${button.dataset.pay}${words(cents)}`
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
    button.textContent = button.dataset.opening
  })
})()
