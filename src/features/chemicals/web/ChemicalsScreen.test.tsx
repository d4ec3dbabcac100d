import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { show } from '../../../ui/testing/show.tsx'
import type { ChemicalSettings } from '../contract.ts'
import { ChemicalRulesCard } from './ChemicalsScreen.tsx'

const settings = (blockFinish: boolean) =>
  ({ blockFinish, tellCustomers: true, version: 1, can: { update: false } }) as ChemicalSettings

it('says that crews cannot write the record that they are asked for where there is no mix', () => {
  const { rerender } = show(<ChemicalRulesCard settings={settings(true)} noMixes />)
  expect(screen.getByRole('status').textContent).toContain('Crews are asked for a record that they cannot write')
  rerender(<ChemicalRulesCard settings={settings(true)} noMixes={false} />)
  expect(screen.queryByRole('status')).toBeNull()
  rerender(<ChemicalRulesCard settings={settings(false)} noMixes />)
  expect(screen.queryByRole('status')).toBeNull()
})
