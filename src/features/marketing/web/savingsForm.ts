import { dollars, hours, readDay, seasonSavings, type Typed } from './savings.ts'

/** The calculator: shown only where a script can work it, and counted again with every key. */
export const bindSavings = (): void => {
  const form = document.querySelector<HTMLFormElement>('[data-savings]')
  if (!form) return
  const say = (mark: string, text: string) => {
    const place = form.querySelector(`[data-${mark}]`)
    if (place) place.textContent = text
  }
  const count = () => {
    const { day, wrong } = readDay(Object.fromEntries(new FormData(form)) as Typed)
    form.querySelector('output')?.toggleAttribute('hidden', day === null)
    for (const input of form.querySelectorAll('input')) {
      const problem = wrong[input.name as keyof Typed] ?? ''
      input.setAttribute('aria-invalid', String(problem !== ''))
      say(`wrong="${input.name}"`, problem)
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
