import { screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { Dialog } from './Dialog.tsx'
import { show } from './testing/show.tsx'

const Opener = () => {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Skip
      </button>
      <Dialog open={open} onClose={() => setOpen(false)} title="Why?">
        <button type="button" onClick={() => setOpen(false)}>
          Rain
        </button>
      </Dialog>
    </>
  )
}
const shield = () => document.querySelector('.ui-dialog__shield')

it('the second half of a double click neither closes what has just opened nor hits what lay under what has just closed', async () => {
  const { user } = show(<Opener />)
  await user.click(screen.getByRole('button', { name: 'Skip' }))
  await screen.findByRole('dialog', { name: 'Why?' })
  await user.click(document.querySelector('.ui-dialog__inner') as Element)
  expect(screen.getByRole('dialog', { name: 'Why?' })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Rain' }))
  expect(shield()).not.toBeNull()
  await waitFor(() => expect(shield()).toBeNull())
})
