import { useState } from 'react'
import { FieldButton } from '../../../../ui/field/FieldButton.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { takesExtras } from '../../../extras/rules.ts'
import type { CrewStop } from '../../contract.ts'
import { isMowed, isOvergrown } from '../../extras/rules.ts'
import type { Crew } from '../data.ts'
import { SellSheet } from '../sales/SellSheet.tsx'
import { saleTexts } from '../sales/saleTexts.ts'
import { extraTexts } from './extraTexts.ts'
import { OvergrownSheet } from './OvergrownSheet.tsx'
import './extras.css'

type Said = NonNullable<CrewStop['extras']>[number]

/** At a stop: what it costs more, as the crew has said it, and the way to say it. */
export const ExtraPart = ({ crew, stop }: { crew: Crew; stop: CrewStop }) => {
  const [marking, setMarking] = useState(false)
  const [selling, setSelling] = useState(false)
  const words = extraTexts(crew.language)
  const extras = stop.extras ?? []
  const titleOf = ({ title, titleEs }: Said) => (crew.language === 'es' && titleEs ? titleEs : title)
  const takeBack = async ({ id }: Said) => {
    try {
      // What has not left the phone leaves no trace; what has is taken back there.
      if (!(await crew.outbox.withdraw(id))) await crew.act('drop_extra', stop, { extraId: id })
      toast.success(words.takenBack)
    } catch {
      toast.error(crew.t.notSaved)
    }
  }
  const mayMark = crew.bundle?.extras?.overgrown && takesExtras(stop.status) && isMowed(stop) && !isOvergrown(stop)
  const maySell = crew.bundle?.sales?.stops.some(({ visitId }) => visitId === stop.id) && takesExtras(stop.status)
  return (
    <div className="c-extras">
      {extras.length > 0 ? (
        <section aria-label={words.heading}>
          <ul>
            {extras.map((extra) => (
              <li key={extra.id}>
                <b>{titleOf(extra)}</b>
                <span>
                  {[words.states[extra.state], extra.by ? words.by(extra.by) : '', extra.why ? `“${extra.why}”` : '']
                    .filter(Boolean)
                    .join(' · ')}
                </span>
                {extra.open && extra.state !== 'declined' && extra.state !== 'refused' ? (
                  <FieldButton aria-label={words.takeBackWhat(titleOf(extra))} onClick={() => void takeBack(extra)}>
                    {words.takeBack}
                  </FieldButton>
                ) : null}
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      {mayMark ? <FieldButton onClick={() => setMarking(true)}>{words.overgrown}</FieldButton> : null}
      {maySell ? <FieldButton onClick={() => setSelling(true)}>{saleTexts(crew.language).open}</FieldButton> : null}
      <SellSheet crew={crew} stop={stop} open={selling} onClose={() => setSelling(false)} />
      <OvergrownSheet crew={crew} stop={stop} open={marking} onClose={() => setMarking(false)} />
    </div>
  )
}
