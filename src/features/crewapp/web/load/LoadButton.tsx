import { useState } from 'react'
import { FieldButton } from '../../../../ui/field/FieldButton.tsx'
import type { CrewDayPlan } from '../../contract.ts'
import { hasLoad } from '../../load/rules.ts'
import type { Crew } from '../data.ts'
import { dayLabel } from '../labels.ts'
import { LoadSheet } from './LoadSheet.tsx'
import { loadTexts } from './loadTexts.ts'

/** The way to the load list of a day; nothing for a day that takes nothing along. */
export const LoadButton = ({ crew, plan }: { crew: Crew; plan: CrewDayPlan | null }) => {
  const [open, setOpen] = useState(false)
  if (!plan || (!open && !hasLoad(plan))) return null
  return (
    <>
      <FieldButton onClick={() => setOpen(true)}>
        {loadTexts(crew.language).open(dayLabel(plan.day, crew.today, crew.t))}
      </FieldButton>
      <LoadSheet crew={crew} plan={open ? plan : null} onClose={() => setOpen(false)} />
    </>
  )
}
