import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { lazyPart } from '../../../../ui/lazyAhead.tsx'
import { type MeasuredBy, measureFirst } from '../../../services/measures/rules.ts'
import { customerQuery } from '../../web/data.ts'

const AreasDialog = lazyPart(() => import('./AreasDialog.tsx').then((m) => m.AreasDialog))
const kindOf = { lawn: 'turf', beds: 'bed', edges: 'edge' } as const

type Props = {
  customerId: string
  propertyId: string
  measuredBy: MeasuredBy
  /** What the button says, where that is not what is missing. */
  label?: string
}

/** Opens the drawing of a property over the screen that lacks a measure, so that nothing typed there is left. */
export const MeasureButton = ({ customerId, propertyId, measuredBy, label = measureFirst[measuredBy] }: Props) => {
  const [isOpen, setOpen] = useState(false)
  const { data } = useQuery({ ...customerQuery(customerId), enabled: isOpen })
  const property = data?.properties.find(({ id }) => id === propertyId)
  return (
    <>
      <Button size="s" kind="quiet" loading={isOpen && !data} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && property ? (
        <AreasDialog property={property} wanted={kindOf[measuredBy]} onClose={() => setOpen(false)} />
      ) : null}
    </>
  )
}
