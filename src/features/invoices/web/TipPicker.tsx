import { useState } from 'react'
import { formatCents } from '../../../shared/money.ts'
import { MoneyField } from '../../../ui/MoneyField.tsx'
import type { PublicInvoice } from '../../payments/contract.ts'
import type { PageTexts } from './pageTexts.ts'

type Props = {
  tips: NonNullable<PublicInvoice['tips']>
  t: PageTexts
  value: number
  /** What is wrong with an amount of one's own, after Pay was pressed. */
  error: string | undefined
  onChange: (cents: number) => void
}

/** A tip for the crew: none, until its payer chooses one. */
export const TipPicker = ({ tips, t, value, error, onChange }: Props) => {
  const [chosen, setChosen] = useState('none')
  const choices = [
    { id: 'none', cents: 0, name: t.noTip, note: '' },
    ...tips.choices.map(({ cents, percent }) => ({
      id: String(cents),
      cents,
      name: percent === null ? formatCents(cents) : `${percent}%`,
      note: percent === null ? '' : formatCents(cents),
    })),
    { id: 'own', cents: 0, name: t.otherTip, note: '' },
  ]
  return (
    <fieldset className="pay__tips">
      <legend>{t.tipAsked}</legend>
      <div className="pay__tip-choices">
        {choices.map(({ id, cents, name, note }) => (
          <label key={id} className={chosen === id ? 'is-chosen' : undefined}>
            <input
              type="radio"
              name="tip"
              value={id}
              checked={chosen === id}
              onChange={() => {
                setChosen(id)
                onChange(cents)
              }}
            />
            <b>{name}</b>
            {note ? <span className="num">{note}</span> : null}
          </label>
        ))}
      </div>
      {chosen === 'own' ? (
        <MoneyField
          label={t.yourTip}
          value={value === 0 ? null : value}
          onChange={(cents) => onChange(cents ?? 0)}
          error={error}
          refuse={(cents) => (cents < 0 || cents > tips.mostCents ? t.tipBetween(formatCents(tips.mostCents)) : null)}
          hint={t.atMost(formatCents(tips.mostCents))}
        />
      ) : null}
      {value > 0 && chosen !== 'own' ? <p className="pay__tip-note">{t.tipGoes}</p> : null}
    </fieldset>
  )
}
