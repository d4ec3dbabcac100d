import { screen, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { answerWith, show } from '../../../../ui/testing/show.tsx'
import { type Session, SessionContext } from '../../../accounts/web/session.ts'
import { KeepPhotoDialog } from './KeepPhotoDialog.tsx'

const id = '01a202c7-f2af-717a-8cad-ef17944daa01'
const [next, last] = [`${id.slice(0, -1)}2`, `${id.slice(0, -1)}3`]
const state = {
  phase: 'signedIn',
  user: {
    _id: id,
    role: 'Owner',
    permissions: [],
    business: { timeZone: 'America/New_York', subscription: { active: true } },
  },
}
const session = { subscribe: () => () => undefined, get: () => state } as unknown as Session
const visit = {
  id: next,
  day: '2031-06-12',
  title: 'Weekly mowing',
  street: '4 Mill Ln',
  status: 'scheduled',
  isKept: false,
}

const opened = (items: object[], answer: { status?: number; body: unknown } = { body: { ...visit, isKept: true } }) => {
  const bodies: unknown[] = []
  answerWith(async (request) => {
    if (request.method !== 'POST') return { body: { items } }
    bodies.push(await request.json())
    return answer
  })
  const onClose = vi.fn()
  const { user } = show(
    <SessionContext value={session}>
      <KeepPhotoDialog messageId={id} photo={{ id, url: '/a', smallUrl: '/b' }} onClose={onClose} />
    </SessionContext>,
  )
  return { user, onClose, bodies }
}

it('a photo is added to the visit that was chosen, the next one first', async () => {
  const { user, onClose, bodies } = opened([visit, { ...visit, id: last, day: '2020-06-05', status: 'completed' }])
  expect(((await screen.findByRole('radio', { name: /Jun 12, 2031/ })) as HTMLInputElement).checked).toBe(true)
  await user.click(screen.getByRole('radio', { name: /Jun 5, 2020/ }))
  await user.click(screen.getByRole('button', { name: 'Add photo' }))
  await waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(bodies).toEqual([{ fileId: id, visitId: last }])
})

it('begins with the visit that the crew still comes for, where a finished one is nearer', async () => {
  opened([{ ...visit, id: last, day: '2031-06-11', status: 'completed' }, visit])
  expect(((await screen.findByRole('radio', { name: /Jun 12, 2031/ })) as HTMLInputElement).checked).toBe(true)
})

it('where it stands already it is not offered again', async () => {
  opened([{ ...visit, isKept: true }])
  await screen.findByText('It stands with Thu, Jun 12, 2031 already.')
  expect(screen.queryByRole('button', { name: 'Add photo' })).toBeNull()
})

it('without a visit it says what to do', async () => {
  opened([])
  await screen.findByText(/They have no visit yet/)
})

it('a photo that is gone says so in the dialog', async () => {
  const message = 'This photo is not there any more, so it was not added. Ask them to send it again.'
  const { user, onClose } = opened([visit], { status: 409, body: { code: 'state_conflict', message } })
  await user.click(await screen.findByRole('button', { name: 'Add photo' }))
  await screen.findByText(message)
  expect(onClose).not.toHaveBeenCalled()
})
