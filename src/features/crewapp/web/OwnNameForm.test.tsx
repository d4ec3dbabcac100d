import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { answerWith, show } from '../../../ui/testing/show.tsx'
import type { Me } from '../../accounts/me/contract.ts'
import { type Session, SessionContext } from '../../accounts/web/session.ts'
import { OwnNameForm } from './OwnNameForm.tsx'
import { textsOf } from './texts.ts'

const me = { _id: '1', name: 'Bo Kim', phone: '+19125550142', language: 'en', version: 1 } as Me
const session = { refreshUser: async () => undefined } as unknown as Session

const opened = () => {
  const server: { now: Me; sent: object[]; saved: number } = { now: me, sent: [], saved: 0 }
  answerWith(async (request) => {
    if (request.method === 'GET') return { body: server.now }
    const body = (await request.json()) as Me
    server.sent.push(body)
    if (body.name === '')
      return {
        status: 422,
        body: { code: 'validation_failed', message: 'x', errors: [{ path: 'name', message: 'Enter your name' }] },
      }
    if (body.version !== server.now.version)
      return { status: 409, body: { code: 'version_conflict', message: 'x', details: { version: server.now.version } } }
    server.now = { ...server.now, ...body, version: body.version + 1 }
    return { body: { user: {}, profile: server.now } }
  })
  const part = (record: Me) => (
    <SessionContext value={session}>
      <OwnNameForm me={record} t={textsOf('en')} onSaved={() => server.saved++} />
    </SessionContext>
  )
  const { user, rerender } = show(part(me))
  const fill = async (label: string, text: string) => {
    await user.clear(screen.getByLabelText(label))
    if (text) await user.type(screen.getByLabelText(label), text)
  }
  /** The office saves, and the news reaches the phone while its sheet is open. */
  const theirs = (change: Partial<Me>) => {
    server.now = { ...me, ...change, version: 2 }
    rerender(part(server.now))
  }
  return { user, server, fill, theirs, save: () => user.click(screen.getByRole('button', { name: 'Save' })) }
}

it('a new phone takes no name back that the office changed meanwhile', async () => {
  const { server, fill, theirs, save } = opened()
  await fill('Phone', '912 555 0199')
  theirs({ name: 'Bo Kimura' })
  await save()
  await waitFor(() => expect(server.saved).toBe(1))
  expect(server.now).toMatchObject({ name: 'Bo Kimura', phone: '912 555 0199' })
  expect(server.sent).toEqual([
    { phone: '912 555 0199', version: 1 },
    { phone: '912 555 0199', version: 2 },
  ])
})

it('two names stand one above the other, and nothing is written before one is chosen', async () => {
  const { user, server, fill, theirs, save } = opened()
  await fill('Name', 'Bo K')
  theirs({ name: 'Bo Kimura' })
  await save()
  await user.click(await screen.findByRole('radio', { name: 'Saved: Bo Kimura' }))
  expect(server.now.name).toBe('Bo Kimura')
  await user.click(screen.getByRole('radio', { name: 'Typed here: Bo K' }))
  await user.click(screen.getByRole('button', { name: 'Save what I chose' }))
  await waitFor(() => expect(server.now).toMatchObject({ name: 'Bo K', version: 3 }))
})

it('a field that is wrong gets the focus, and what cannot be placed is read out and brought into sight', async () => {
  const { fill, save } = opened()
  await fill('Name', '')
  await save()
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Name')))
  answerWith(() => ({ status: 500, body: { code: 'internal', message: 'Swath stumbled' } }))
  await save()
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('alert')))
})
