import { screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { DateField } from './DateField.tsx'
import { show } from './testing/show.tsx'

const Pause = ({ done }: { done: (string | null)[] }) => {
  const [until, setUntil] = useState<string | null>(null)
  return (
    <ConfirmDialog
      open
      onClose={() => undefined}
      title="Pause?"
      confirmLabel="Pause"
      onConfirm={() => done.push(until)}
    >
      <DateField label="Until" optional value={until} onChange={setUntil} today="2026-06-12" min="2026-06-13" />
    </ConfirmDialog>
  )
}

it.each(['12.45.', '6/1/2026'])('what is asked about is not done while %s stands in its day', async (typed) => {
  const done: (string | null)[] = []
  const { user } = show(<Pause done={done} />)
  const field = screen.getByRole('textbox', { name: /Until/ })
  await user.type(field, typed)
  await user.click(screen.getByRole('button', { name: 'Pause' }))
  expect([done, document.activeElement]).toEqual([[], field])
  await user.clear(field)
  await user.click(screen.getByRole('button', { name: 'Pause' }))
  expect(done).toEqual([null])
})
