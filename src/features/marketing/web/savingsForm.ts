import { type Day, dollars, hours, readDay, readField, seasonSavings } from './savings.ts'

/** The calculator: shown only where a script can work it, and counted again with every key. */
export const bindSavings = (): void => {
  const form = document.querySelector<HTMLFormElement>('[data-savings]')
  if (!form) return
  const say = (mark: string, text: string) => {
    const place = form.querySelector(`[data-${mark}]`)
    if (place) place.textContent = text
  }
  const count = () => {
    const typed = Object.fromEntries(new FormData(form)) as Record<keyof Day, string>
    const day = readDay(typed)
    form.querySelector('.savings-wrong')?.toggleAttribute('hidden', day !== null)
    form.querySelector('output')?.toggleAttribute('hidden', day === null)
    for (const input of form.querySelectorAll('input')) {
      input.setAttribute('aria-invalid', String(readField(input.name as keyof Day, input.value) === null))
    }
    if (!day) return
    const { least, most } = seasonSavings(day)
    say('least', hours(least.hours))
    say('cost', dollars(least.dollars))
    say('most', hours(most.hours))
    say('most-cost', dollars(most.dollars))
  }
  form.addEventListener('input', count)
  form.addEventListener('submit', (event) => event.preventDefault())
  form.hidden = false
}
