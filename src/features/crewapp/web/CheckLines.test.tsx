import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { show } from '../../../ui/testing/show.tsx'
import type { CrewStop } from '../contract.ts'
import { CheckLines } from './CheckLines.tsx'
import { textsOf } from './texts.ts'

it('is read in Spanish and kept by the text of the office', async () => {
  const onCheck = vi.fn()
  const stop = { checked: [], photoItems: [] } as unknown as CrewStop
  show(
    <CheckLines
      t={textsOf('es')}
      language="es"
      stop={stop}
      items={[
        { text: 'Gates closed', es: 'Portones cerrados', required: true },
        { text: 'Pool cover', required: false },
      ]}
      onCheck={onCheck}
      onPhoto={vi.fn()}
    />,
  )
  await userEvent.click(screen.getByRole('checkbox', { name: /Portones cerrados/ }))
  expect(onCheck).toHaveBeenCalledWith('Gates closed', true)
  expect(screen.getByRole('checkbox', { name: /Pool cover/ })).toBeTruthy()
})
