import { describe, expect, it } from 'vitest'
import { isReminderDue, nextReminderOn, type ReminderFacts } from './rules.ts'

const steps = [-3, 0, 7, 30]
const open: ReminderFacts = {
  status: 'issued',
  dueOn: '2028-02-29',
  reopenedOn: null,
  lastRemindedOn: null,
  promisedOn: null,
  remindersStopped: null,
}

describe('a reminder by schedule', () => {
  it.each<[string, Partial<ReminderFacts>, boolean]>([
    ['2028-02-25', {}, false],
    ['2028-02-26', {}, true],
    ['2028-02-29', {}, true],
    ['2028-02-29', { lastRemindedOn: '2028-02-26' }, true],
    ['2028-02-29', { lastRemindedOn: '2028-02-29' }, false],
    ['2028-03-03', { lastRemindedOn: '2028-02-26' }, true],
    ['2028-03-04', { lastRemindedOn: '2028-02-26' }, false],
    ['2028-03-07', { promisedOn: '2028-03-07' }, false],
    ['2028-03-08', { promisedOn: '2028-03-07' }, true],
    ['2028-03-07', { remindersStopped: 'They dispute it' }, false],
    ['2028-03-07', { status: 'paid' }, false],
    ['2028-03-07', { status: 'draft', dueOn: null }, false],
    ['2029-03-07', {}, false],
    // opened again after its due day: so many days from then on, and not on that day itself
    ['2028-03-07', { reopenedOn: '2028-03-07' }, false],
    ['2028-03-14', { reopenedOn: '2028-03-07' }, true],
    ['2028-03-14', { reopenedOn: '2028-03-07', lastRemindedOn: '2028-03-14' }, false],
    ['2028-03-07', { reopenedOn: '2028-02-20' }, true],
  ])('on %s with %o: %s', (today, facts, due) => {
    expect(isReminderDue({ ...open, ...facts }, steps, today)).toBe(due)
  })

  it.each<[string, Partial<ReminderFacts>, string | null]>([
    ['2028-02-20', {}, '2028-02-26'],
    ['2028-02-26', {}, '2028-02-26'],
    ['2028-02-26', { lastRemindedOn: '2028-02-26' }, '2028-02-29'],
    ['2028-02-27', { promisedOn: '2028-03-10', lastRemindedOn: '2028-02-26' }, '2028-03-30'],
    ['2028-04-10', {}, null],
    ['2028-04-10', { reopenedOn: '2028-04-10' }, '2028-04-17'],
    ['2028-02-20', { remindersStopped: 'They wrote' }, null],
  ])('after %s with %o the next is on %s', (today, facts, next) => {
    expect(nextReminderOn({ ...open, ...facts }, steps, today)).toBe(next)
  })

  it('is none where the business wants none', () => {
    expect([isReminderDue(open, [], '2028-02-29'), nextReminderOn(open, [], '2028-02-20')]).toEqual([false, null])
  })
})
