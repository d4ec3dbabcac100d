import { expect, it } from 'vitest'
import { describeError } from './log.ts'

it('an error of the database is logged without the row that it quotes', () => {
  const error = Object.assign(new Error('new row for relation "users" violates check constraint "users_name_check"'), {
    code: '23514',
    constraint: 'users_name_check',
    table: 'users',
    detail: 'Failing row contains (019a, rita@odom.test, +19125550147, Rita Odom).',
    where: 'COPY users, line 1: "rita@odom.test"',
    hint: 'rita@odom.test',
  })
  const told = describeError(new Error('it failed', { cause: error }))
  expect(told).toMatchObject({ cause: { code: '23514', constraint: 'users_name_check', table: 'users' } })
  expect(JSON.stringify(told)).not.toMatch(/rita|odom|912/i)
})

it('a value that does not fit is not quoted', () => {
  const error = Object.assign(new Error('invalid input syntax for type uuid: "rita@odom.test"'), { code: '22P02' })
  expect(JSON.stringify(describeError(error))).not.toContain('rita')
})
