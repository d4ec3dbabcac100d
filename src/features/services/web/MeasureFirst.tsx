import { linkTo } from '#src/shared/links.ts'
import { LinkTo } from '#src/ui/LinkTo.tsx'
import { type MeasuredBy, measureFirst, measureOf, measureText, noMeasureYet, type Sizes } from '../measures/rules.ts'

type Props = { measuredBy: MeasuredBy; place: Sizes & { customerId: string; propertyId: string }; orType?: boolean }

/** What a service goes by at a property: its size, or that nobody measured it, with the way to the drawing. */
export const MeasureFirst = ({ measuredBy, place, orType = false }: Props) => {
  const { size } = measureOf({ measuredBy }, place)
  if (size !== null) return <>{measureText({ measuredBy, size })}</>
  return (
    <>
      {noMeasureYet[measuredBy]}{' '}
      <LinkTo href={linkTo.measure(place.customerId, place.propertyId)}>{measureFirst[measuredBy]}</LinkTo> to price by
      the rule{orType ? ', or type a price' : ''}.
    </>
  )
}
