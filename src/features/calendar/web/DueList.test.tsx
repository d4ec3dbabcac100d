import { useQuery } from '@tanstack/react-query'
import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { ToastHost } from '../../../ui/ToastHost.tsx'
import { answerWith, show } from '../../../ui/testing/show.tsx'
import { type Session, SessionContext } from '../../accounts/web/session.ts'
import { DueHead } from './DueList.tsx'
import { dueQuery, useMoveVisit } from './data.ts'
import type { Card } from './view.ts'

const day = '2026-06-15'
const next = '2026-06-16'
const state = {
  phase: 'signedIn',
  user: { role: 'Owner', permissions: [], business: { timeZone: 'America/New_York', subscription: { active: true } } },
}
const session = { subscribe: () => () => undefined, get: () => state } as unknown as Session
const visit = { id: '01a202c7-f2af-717a-8cad-ef17944daa01', street: '12 Oak St', version: 1, day } as Card

/** The head of a day's due list beside what moves a visit off the day. */
const Board = () => {
  const mover = useMoveVisit()
  const due = useQuery(dueQuery(day))
  const move = () => void mover.run({ visit, to: { day: next, crewId: null }, crewName: 'no crew' })
  return (
    <SessionContext value={session}>
      <DueHead day={day} count={0} items={[]} over={false} undo={due.data?.undo ?? null} />
      <button type="button" onClick={move}>
        Move
      </button>
      <ToastHost />
    </SessionContext>
  )
}

it('waits with the Undo of a day for the answer of a move, and then means that move before the list was read again', async () => {
  const answered = Promise.withResolvers<void>()
  const listed = Promise.withResolvers<void>()
  const [earlier, moved] = [
    { id: '01a202c7-f2af-717a-8cad-ef17944daa03', label: 'Move 9 Elm St' },
    { id: '01a202c7-f2af-717a-8cad-ef17944daa04', label: 'Move 12 Oak St' },
  ]
  let reads = 0
  const undone: unknown[] = []
  answerWith(async (request) => {
    const { pathname } = new URL(request.url)
    if (pathname === '/api/calendar/due') {
      reads += 1
      if (reads > 1) await listed.promise
      return { body: { day, items: [], total: 0, undo: earlier } }
    }
    if (pathname === '/api/routes/move') {
      await answered.promise
      return { body: { plan: { day: next, undo: { ...moved, days: [day, next] } }, violations: [] } }
    }
    undone.push(await request.json())
    return { body: { plan: { day, undo: earlier }, undone: moved.label, kept: 0, recalled: 0, told: [] } }
  })
  const { user } = show(<Board />)
  const before = await screen.findByRole('button', { name: 'Undo: Move 9 Elm St' })
  expect(before).toHaveProperty('disabled', false)
  await user.click(screen.getByRole('button', { name: 'Move' }))
  await waitFor(() => expect(before).toHaveProperty('disabled', true))
  answered.resolve()
  const undo = await screen.findByRole('button', { name: 'Undo: Move 12 Oak St' })
  await waitFor(() => expect(undo).toHaveProperty('disabled', false))
  await user.click(undo)
  await waitFor(() => expect(undone).toEqual([{ day, changeId: moved.id }]))
  // taken back, it is not offered again
  await screen.findByRole('button', { name: 'Undo: Move 9 Elm St' })
  listed.resolve()
})
