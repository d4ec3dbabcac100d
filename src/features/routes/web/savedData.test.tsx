import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { ToastHost } from '#src/ui/ToastHost.tsx'
import { answerWith, show } from '#src/ui/testing/show.tsx'
import { useSavedRoutes } from './savedData.ts'

const id = '01a202c7-f2af-717a-8cad-ef17944daadf'
const changeId = '01a202c7-f2af-717a-8cad-ef17944daad0'

const Apply = () => {
  const { apply } = useSavedRoutes()
  return (
    <button type="button" onClick={() => apply.mutate({ id, name: 'Tuesday', day: '2026-06-09' })}>
      Apply
    </button>
  )
}

it('Undo of an applied route names that very change, whatever came after it', async () => {
  const sent: unknown[] = []
  answerWith(async (request) => {
    sent.push(await request.json())
    return { body: { changed: true, plan: { undo: { id: changeId, label: 'Apply Tuesday' } } } }
  })
  const { user } = show(
    <>
      <Apply />
      <ToastHost />
    </>,
  )
  await user.click(screen.getByRole('button', { name: 'Apply' }))
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(sent).toEqual([{ day: '2026-06-09' }, { day: '2026-06-09', changeId }]))
})
