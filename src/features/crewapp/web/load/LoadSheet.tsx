import { Alert } from '../../../../ui/field/Alert.tsx'
import { CheckItem } from '../../../../ui/field/CheckItem.tsx'
import { Sheet } from '../../../../ui/field/Sheet.tsx'
import type { CrewDayPlan } from '../../contract.ts'
import { loadOf } from '../../load/rules.ts'
import type { Crew } from '../data.ts'
import { dayLabel } from '../labels.ts'
import { loadTexts } from './loadTexts.ts'
import { thingsOf, weightWords } from './things.ts'
import { useTicked } from './ticked.ts'
import './load.css'

const List = ({ crew, plan }: { crew: Crew; plan: CrewDayPlan }) => {
  const words = loadTexts(crew.language)
  const [ticked, tick] = useTicked([crew.outbox.userId, plan.crew?.id, plan.day].join(' '))
  const load = loadOf(plan)
  const names = new Map(
    crew.language === 'es'
      ? plan.stops.flatMap((s) => s.services.map((name, at) => [name, s.servicesEs?.[at] ?? name]))
      : [],
  )
  const groups = thingsOf(load, words)
  const toLoad = groups.flatMap(({ things }) => things.filter(({ out }) => out === undefined))
  const weight = weightWords(load, words)
  const left = toLoad.filter(({ key }) => !ticked.includes(key)).length
  return (
    <div className="c-stack">
      {plan.published ? null : <Alert tone="wait">{words.mayChange}</Alert>}
      {toLoad.length > 0 ? (
        <p role="status" className="c-load__left">
          {left === 0 ? words.ready : words.left(left)}
        </p>
      ) : null}
      {weight ? <p className="c-load__left">{weight}</p> : null}
      {load.unmeasured.map(({ street, names }) => (
        <Alert key={`area ${street}`} tone="wait">
          {words.unmeasured(street, names.join(', '))}
        </Alert>
      ))}
      {groups.map(({ title, things }) => (
        <section key={title} aria-label={title}>
          <h3 className="c-load__head">{title}</h3>
          <div className="c-load__things">
            {things.map(({ key, label, hint, out }) =>
              out === undefined ? (
                <CheckItem
                  key={key}
                  label={label}
                  hint={hint}
                  checked={ticked.includes(key)}
                  onChange={(done) => tick(key, done)}
                />
              ) : (
                <Alert key={key} tone="danger">
                  {label}. {out}
                </Alert>
              ),
            )}
          </div>
        </section>
      ))}
      <section aria-label={words.work}>
        <h3 className="c-load__head">{words.work}</h3>
        <ul className="c-load__work">
          {load.work.map(({ name, stops, withoutMix }) => (
            <li key={name}>
              {words.timesStops(names.get(name) ?? name, stops)}
              {withoutMix ? <span>{words.noMix}</span> : null}
            </li>
          ))}
        </ul>
      </section>
    </div>
  )
}

/** What goes on the truck for a day, to tick off while it is loaded. Works the same with and without a signal. */
export const LoadSheet = ({ crew, plan, onClose }: { crew: Crew; plan: CrewDayPlan | null; onClose: () => void }) => (
  <Sheet
    open={plan !== null}
    onClose={onClose}
    title={plan ? loadTexts(crew.language).title(dayLabel(plan.day, crew.today, crew.t)) : ''}
    closeLabel={crew.t.close}
  >
    {plan ? <List crew={crew} plan={plan} /> : null}
  </Sheet>
)
