import { expect, it } from 'vitest'
import { show } from '../../../ui/testing/show.tsx'
import type { Invoice } from '../contract.ts'
import { ReminderLine } from './Reminders.tsx'

const reminders = { byRule: false, nextOn: null, stopped: null, promisedOn: null, autopay: null, anew: null }
const invoice = { customer: { name: 'Ann' }, reach: { mail: 'a@b.test', text: null, why: null }, pending: null }
const lineOf = (change: object) =>
  show(
    <ReminderLine invoice={{ ...invoice, reminders: { ...reminders, ...change } } as unknown as Invoice} />,
  ).container.querySelector('p')?.textContent ?? ''

it('says that reminders are stopped, also where the business sends none by itself', () => {
  expect(lineOf({ stopped: 'They will pay by check' })).toBe('No more reminders: They will pay by check.')
  expect(lineOf({ stopped: 'They will pay by check', byRule: true })).toBe('No more reminders: They will pay by check.')
  expect(lineOf({})).toBe('')
})
