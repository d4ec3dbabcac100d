import { CheckItem } from '../../../../ui/field/CheckItem.tsx'
import { FieldInput } from '../../../../ui/field/FieldInput.tsx'
import { saleName } from '../../../extras/sales/rules.ts'
import type { Language } from '../texts.ts'
import type { Noted } from './draft.ts'
import type { CrewQuotes } from './keptQuotes.ts'
import { crewQuoteTexts } from './quoteTexts.ts'

type Change = (part: (now: Pick<Noted, 'picked'>) => Pick<Noted, 'picked'>) => void

/** The services that can be noted, each by its name for who reads which language, with how much of it. */
export const NotedServices = ({
  services,
  picked,
  language,
  onPick,
  onType,
}: {
  services: CrewQuotes['services']
  picked: Noted['picked']
  language: Language
  onPick: Change
  onType: Change
}) => {
  const t = crewQuoteTexts[language]
  return (
    <fieldset className="f-choices">
      <legend>{t.what}</legend>
      {services.map(({ id, name, nameEs, measuredBy }) => {
        const mine = picked[id]
        return (
          <div key={id} className="c-stack">
            <CheckItem
              label={saleName({ name, nameEs }, language)}
              checked={mine !== undefined}
              onChange={(on) =>
                onPick((now) => {
                  const { [id]: _, ...others } = now.picked
                  return { picked: on ? { ...others, [id]: { squareFeet: '', quantity: '' } } : others }
                })
              }
            />
            {mine ? (
              <>
                <FieldInput
                  label={t.size[measuredBy]}
                  inputMode="numeric"
                  value={mine.squareFeet}
                  onChange={(squareFeet) =>
                    onType((now) => ({ picked: { ...now.picked, [id]: { ...mine, squareFeet } } }))
                  }
                />
                <FieldInput
                  label={t.many}
                  inputMode="decimal"
                  value={mine.quantity}
                  onChange={(quantity) => onType((now) => ({ picked: { ...now.picked, [id]: { ...mine, quantity } } }))}
                />
              </>
            ) : null}
          </div>
        )
      })}
    </fieldset>
  )
}
