import { expect, it, vi } from 'vitest'
import { say } from './form-parts.ts'

it('what went wrong is brought into sight, a plain word moves nobody', () => {
  document.body.innerHTML = '<form><p data-say hidden></p></form>'
  const form = document.querySelector('form') as HTMLElement
  const line = form.querySelector('p') as HTMLElement
  const scrolled = vi.spyOn(line, 'scrollIntoView')
  say(form, 'Sending', 'plain')
  say(form, '')
  expect(scrolled).not.toHaveBeenCalled()
  say(form, 'Please wait 2 minutes')
  expect(line.textContent).toBe('Please wait 2 minutes')
  expect(scrolled).toHaveBeenCalledWith({ block: 'nearest' })
})
