import { linkTo } from '../../../../shared/links.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Card } from '../../../../ui/Card.tsx'
import { MeasureButton } from '../../../customers/areas/web/MeasureButton.tsx'
import type { QuoteRecord } from '../../contract.ts'

export const AreasPart = ({ quote }: { quote: QuoteRecord }) => {
  const { lawnSquareFeet, bedSquareFeet, edgeFeet, areas } = quote.place
  const isMissing = lawnSquareFeet === null
  const size = (feet: number) => `${feet.toLocaleString('en-US')} sq ft`
  return (
    <Card title={quote.property.street} hint={quote.customer.name} as="section">
      <dl className="qb-areas num">
        <div>
          <dt>Lawn</dt>
          <dd>{lawnSquareFeet === null ? 'not measured' : size(lawnSquareFeet)}</dd>
        </div>
        {bedSquareFeet === null ? null : (
          <div>
            <dt>Beds</dt>
            <dd>{size(bedSquareFeet)}</dd>
          </div>
        )}
        {edgeFeet === null ? null : (
          <div>
            <dt>Edges</dt>
            <dd>{edgeFeet.toLocaleString('en-US')} ft</dd>
          </div>
        )}
        {areas
          .filter(({ name, kind }) => name !== '' || kind === 'other')
          .map((area, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: areas have no id here and stand in their order
            <div key={at}>
              <dt>{area.name || area.kind}</dt>
              <dd>{size(area.squareFeet)}</dd>
            </div>
          ))}
      </dl>
      {isMissing ? (
        <MeasureButton
          customerId={quote.customer.id}
          propertyId={quote.property.id}
          measuredBy="lawn"
          label="Measure it on the map"
        />
      ) : (
        <Button size="s" href={linkTo.customer(quote.customer.id)}>
          See the property
        </Button>
      )}
    </Card>
  )
}
