import { useState } from 'react'
import { Card } from '../../../ui/Card.tsx'
import { NumberField } from '../../../ui/NumberField.tsx'
import { waterGallons } from '../formulas/rules.ts'
import { amountText } from '../rules.ts'

/** How much water brings something into the ground. */
export const WaterIn = ({ squareFeet, isWrong: isAreaWrong }: { squareFeet: number | null; isWrong: boolean }) => {
  const [inches, setInches] = useState<number | null>(0.5)
  const isWrong = inches !== null && (inches <= 0 || inches > 6)
  return (
    <Card title="Water it in">
      <div className="mat-water">
        <NumberField
          label="Water"
          unit="in"
          step={0.25}
          min={0}
          value={inches}
          error={isWrong ? 'More than nothing, at most 6 inches.' : undefined}
          onChange={setInches}
        />
        <p className="num" aria-live="polite">
          {isAreaWrong ? (
            <span className="hint">Correct the area first.</span>
          ) : squareFeet !== null && squareFeet > 0 && inches !== null && !isWrong ? (
            <>
              <b>{amountText(waterGallons(squareFeet, inches), 0)} gal</b>{' '}
              <span className="hint">half an inch is 312 gal for 1,000 sq ft</span>
            </>
          ) : (
            <span className="hint">Type the area first.</span>
          )}
        </p>
      </div>
    </Card>
  )
}
