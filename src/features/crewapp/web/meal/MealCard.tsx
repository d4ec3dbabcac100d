import { useState } from 'react'
import { FieldButton } from '../../../../ui/field/FieldButton.tsx'
import { FieldCard } from '../../../../ui/field/FieldCard.tsx'
import { mealDue, mealRuleOf } from '../../../timeclock/meals/rules.ts'
import type { Crew } from '../data.ts'
import { timeOf } from '../labels.ts'
import type { DayActions } from '../useDay.ts'

const words = {
  en: {
    soon: (minutes: number, time: string) => `Your meal break of ${minutes} min is due by ${time}.`,
    over: (minutes: number, time: string) => `Your meal break of ${minutes} min was due by ${time}.`,
    begin: 'Start the break',
    later: 'Hide this',
  },
  es: {
    soon: (minutes: number, time: string) => `Tu descanso para comer de ${minutes} min toca antes de las ${time}.`,
    over: (minutes: number, time: string) => `Tu descanso para comer de ${minutes} min tocaba antes de las ${time}.`,
    begin: 'Empezar el descanso',
    later: 'Ocultar',
  },
}

/** A quiet word before the law's meal is due, where there is such a law: no sound, and gone by one press. */
export const MealCard = ({ crew, day }: { crew: Crew; day: Pick<DayActions, 'act'> }) => {
  const { clock, now, timeZone, language } = crew
  const [hidden, setHidden] = useState<string | null>(null)
  const rule = mealRuleOf(clock?.mealState ?? null)
  const due = clock && rule ? mealDue(clock.entries, rule, now) : null
  if (!rule || !due || hidden === due) return null
  const w = words[language]
  const text = (now < Date.parse(due) ? w.soon : w.over)(rule.minutes, timeOf(due, timeZone))
  return (
    <FieldCard>
      <section className="c-stack" aria-label={text}>
        <p>{text}</p>
        <FieldButton onClick={() => day.act('break_start')}>{w.begin}</FieldButton>
        <FieldButton kind="quiet" onClick={() => setHidden(due)}>
          {w.later}
        </FieldButton>
      </section>
    </FieldCard>
  )
}
