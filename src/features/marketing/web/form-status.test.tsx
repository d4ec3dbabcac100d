import { expect, it } from 'vitest'
import type { Application } from '../../prospects/application/contract.ts'
import { showStatus } from './form-status.ts'

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString()
const steps = [
  { label: 'Customers imported', state: 'open', dueAt: '2027-03-01T17:00:00Z' },
  { label: 'Call 1', state: 'done', dueAt: null },
]
const applicationOf = (status: string, calls: object[] = []) =>
  ({ decision: status, calls, sprint: { status, steps, feeStatus: 'none', feeCents: 0 } }) as unknown as Application
const callOf = (kind: string) => ({
  kind,
  token: 'abc',
  title: 'Call',
  status: 'booked',
  minutes: 20,
  startsAt: inDays(1),
  endsAt: inDays(1.1),
})

const opened = (application: Application, token: string | null = 'secret') => {
  document.body.innerHTML =
    '<header class="head"><h1>Six questions</h1><p class="lead">Three minutes.</p><p data-places>7 places</p></header><div data-status hidden></div>'
  showStatus(application, token)
  const links = [...document.querySelectorAll('[data-status] a')]
  return Object.fromEntries(links.map((link) => [link.textContent, link.getAttribute('href')]))
}

it('whoever is admitted finds the button of call 1, and what call 2 waits for', () => {
  expect(opened(applicationOf('admitted'))).toEqual({ 'Book call 1': '/book-call?sprint=1#status=secret' })
  expect(document.body.textContent).toContain('To be booked once call 1 has its time.')
})

it('with call 1 booked that one can be moved and call 2 has its button', () => {
  expect(opened(applicationOf('running', [callOf('sprint_1')]))).toEqual({
    'Move or cancel': '/book-call#call=abc',
    'Book call 2': '/book-call?sprint=2#status=secret',
  })
})

it('the page is then about the Sprint: its head, and each step with its day or state', () => {
  opened(applicationOf('admitted'))
  expect(document.querySelector('h1')?.textContent).toBe('Your Setup Sprint')
  expect(document.querySelector('.lead')?.textContent).toContain('14 days')
  expect(document.querySelector('[data-places]')?.hasAttribute('hidden')).toBe(true)
  expect([...document.querySelectorAll('.sprint-list li')].map((line) => line.textContent)).toEqual([
    'Customers importedby March 1',
    'Call 1Done',
  ])
})

it('the browser that applied hears that it is in, and where its page is', () => {
  opened({ decision: 'admitted', calls: [], sprint: null } as unknown as Application, null)
  expect(document.querySelector('[data-status] h2')?.textContent).toBe('You are in.')
  expect(document.body.textContent).toContain('The link to it is in the mail that we sent you.')
})
