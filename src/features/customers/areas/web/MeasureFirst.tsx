import { type MeasuredBy, measureOf, measureText, noMeasureYet, type Sizes } from '../../../services/measures/rules.ts'
import { MeasureButton } from './MeasureButton.tsx'

type Props = { measuredBy: MeasuredBy; place: Sizes & { customerId: string; propertyId: string }; orType?: boolean }

/** What a service goes by at a property: its size, or that nobody measured it, with the drawing where that is mended. */
export const MeasureFirst = ({ measuredBy, place, orType = false }: Props) => {
  const { size } = measureOf({ measuredBy }, place)
  if (size !== null) return <>{measureText({ measuredBy, size })}</>
  return (
    <>
      {noMeasureYet[measuredBy]} Its price comes by the rule once it is{orType ? ', or type a price' : ''}.{' '}
      <MeasureButton customerId={place.customerId} propertyId={place.propertyId} measuredBy={measuredBy} />
    </>
  )
}
