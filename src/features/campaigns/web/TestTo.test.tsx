import { screen, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { answerWith, show } from '../../../ui/testing/show.tsx'
import { type Session, SessionContext } from '../../accounts/web/session.ts'
import { TestTo } from './TestTo.tsx'

const state = { phase: 'signedIn', user: { role: 'Owner', permissions: [] } }
const session = { subscribe: () => () => undefined, get: () => state } as unknown as Session

const open = (answer: { status?: number; body: unknown }) => {
  const sent: unknown[] = []
  answerWith(async (request) => {
    sent.push(await request.json())
    return answer
  })
  const closed = vi.fn()
  const { user } = show(
    <SessionContext value={session}>
      <TestTo id="c1" language="es" variant="b" onClose={closed} />
    </SessionContext>,
  )
  const send = async (typed: string) => {
    if (typed) await user.type(await screen.findByLabelText('E-mail addresses'), typed)
    await user.click(screen.getByRole('button', { name: 'Send the test' }))
  }
  return { sent, closed, send }
}

it('sends to the addresses that were typed, however they are parted', async () => {
  const { sent, closed, send } = open({ body: { to: 'jim@partner.test, ann@partner.test' } })
  await send('jim@partner.test; ann@partner.test,')
  await waitFor(() => expect(closed).toHaveBeenCalled())
  expect(sent).toEqual([{ language: 'es', variant: 'b', to: ['jim@partner.test', 'ann@partner.test'] }])
})

it('asks for an address where there is none, and says why one is refused with what was typed still there', async () => {
  const message = 'Nothing can be sent to gone@partner.test: The mailbox does not exist. Nothing was sent.'
  const { sent, closed, send } = open({
    status: 422,
    body: { code: 'validation_failed', message: 'Validation error', errors: [{ path: 'to.0', message }] },
  })
  await send('')
  await screen.findByText('Write an e-mail address.')
  expect(sent).toEqual([])
  await send('gone@partner.test')
  await screen.findByText(message)
  expect(screen.getByLabelText<HTMLInputElement>('E-mail addresses').value).toBe('gone@partner.test')
  expect(closed).not.toHaveBeenCalled()
})

it('takes addresses as a mail program gives them', async () => {
  const { sent, closed, send } = open({ body: { to: 'pat@partner.test, ann@partner.test, bo@partner.test' } })
  await send('Pat Lind <pat@partner.test>, "Ann" <ann@partner.test> bo@partner.test;')
  await waitFor(() => expect(closed).toHaveBeenCalled())
  expect(sent).toEqual([
    { language: 'es', variant: 'b', to: ['pat@partner.test', 'ann@partner.test', 'bo@partner.test'] },
  ])
})

it('says what has nothing to do with the addresses apart from them', async () => {
  const message = 'Write something first. Nothing was sent.'
  const { send } = open({ status: 409, body: { code: 'conflict', message, errors: [] } })
  await send('pat@partner.test')
  await screen.findByText(message)
  const field = screen.getByLabelText<HTMLInputElement>('E-mail addresses')
  expect([field.value, field.getAttribute('aria-invalid') ?? 'false']).toEqual(['pat@partner.test', 'false'])
})
