import { expect, test, vi } from 'vitest'
import { ApiError } from '#src/shared/client.ts'
import { applyApiError } from './applyApiError.ts'

const refusal = (errors: { path: string; message: string }[]) =>
  new ApiError('validation_failed', 'Validation error', 422, { errors, requestId: 'r1' })
const onScreen = (path: string) => ['email', 'items.0.name'].includes(path)

test('errors of fields on the screen go to them, and no banner is left', () => {
  const setError = vi.fn()
  const result = applyApiError(
    refusal([
      { path: 'body.email', message: 'No @.' },
      { path: 'items.0.name', message: 'Empty.' },
    ]),
    setError,
    onScreen,
  )
  expect(setError.mock.calls.map(([path, { message }]) => [path, message])).toEqual([
    ['email', 'No @.'],
    ['items.0.name', 'Empty.'],
  ])
  expect(result).toEqual({ problem: null, first: 'email' })
})

test('what belongs to no field stands in the banner', () => {
  const result = applyApiError(refusal([{ path: 'discount', message: 'Too much.' }]), vi.fn(), onScreen)
  expect(result.problem?.others).toEqual(['Too much.'])
  expect(result.first).toBeNull()
})

test('other refusals say their own words; only ours carry the id for support', () => {
  expect(
    applyApiError(
      new ApiError('state_conflict', 'This invoice was voided.', 409, { requestId: 'r2' }),
      vi.fn(),
      onScreen,
    ).problem,
  ).toEqual({ message: 'This invoice was voided.', others: [], requestId: undefined })
  expect(
    applyApiError(new ApiError('internal', 'Our side.', 500, { requestId: 'r3' }), vi.fn(), onScreen).problem
      ?.requestId,
  ).toBe('r3')
})
