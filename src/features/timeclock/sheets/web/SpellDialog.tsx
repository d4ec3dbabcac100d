import { useForm } from 'react-hook-form'
import { addDays, type Day, dayOf, formatDay, instantAt, minuteOfDay } from '../../../../shared/dates.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { FieldGrid } from '../../../../ui/FieldGrid.tsx'
import { Form } from '../../../../ui/Form.tsx'
import { FormActions } from '../../../../ui/FormActions.tsx'
import { FormField } from '../../../../ui/FormField.tsx'
import { SelectField } from '../../../../ui/SelectField.tsx'
import { TextField } from '../../../../ui/TextField.tsx'
import { TimeField } from '../../../../ui/TimeField.tsx'
import { toast } from '../../../../ui/toast.tsx'
import type { EntryKind } from '../../rules.ts'
import type { SheetDetail, SheetEntry } from '../contract.ts'
import { useSheets } from './data.ts'
import { kindLabel } from './labels.ts'

/** The spell to change, or a new one on a day. */
export type Spell = { entry: SheetEntry | null; day: Day }

type Values = { day: Day; kind: EntryKind; start: number | null; end: number | null; reason: string }
type Props = { sheet: SheetDetail; spell: Spell; timeZone: string; onClose: () => void }

const kinds = Object.entries(kindLabel).map(([value, label]) => ({ value: value as EntryKind, label }))

const SpellForm = ({ sheet, spell, timeZone, onClose }: Props) => {
  const { entry, day } = spell
  const { correct } = useSheets()
  const form = useForm<Values>({
    defaultValues: {
      day,
      kind: entry?.kind ?? 'work',
      start: entry ? minuteOfDay(entry.startedAt, timeZone) : null,
      end: entry?.endedAt ? minuteOfDay(entry.endedAt, timeZone) : null,
      reason: '',
    },
  })
  const { control } = form
  const seen = { id: sheet.userId, week: sheet.week, version: sheet.version, entryId: entry?.id ?? null }
  /** A minute that was not touched keeps its seconds, and which of two equal hours it was. */
  const instant = (was: string | null, on: Day, minute: number): string =>
    was && dayOf(was, timeZone) === on && minuteOfDay(was, timeZone) === minute ? was : instantAt(on, minute, timeZone)
  const save = async ({ day: on, kind, start, end, reason }: Values) => {
    const [from, to] = [start ?? 0, end ?? 0]
    // An end before its start is on the next morning.
    const endDay = to <= from ? addDays(on, 1) : on
    await correct.mutateAsync({
      ...seen,
      to: {
        kind,
        startedAt: instant(entry?.startedAt ?? null, on, from),
        endedAt: instant(entry?.endedAt ?? null, endDay, to),
      },
      reason,
    })
    toast.success(`Corrected, and ${sheet.name} is told`)
    onClose()
  }
  const takeOut = form.handleSubmit(async ({ reason }) => {
    try {
      await correct.mutateAsync({ ...seen, to: null, reason })
      toast.success(`Taken out, and ${sheet.name} is told`)
      onClose()
    } catch (error) {
      toast.error(error)
    }
  })
  return (
    <Form form={form} label="Time" onSubmit={save}>
      <FieldGrid min={150}>
        <FormField control={control} name="day">
          {(f) => (
            <SelectField
              label="Day"
              options={sheet.days.map(({ day: one }) => ({ value: one, label: formatDay(one) }))}
              {...f}
            />
          )}
        </FormField>
        <FormField control={control} name="kind">
          {(f) => <SelectField label="What" options={kinds} {...f} />}
        </FormField>
        <FormField control={control} name="start" needed="From when?">
          {(f) => <TimeField label="From" {...f} />}
        </FormField>
        <FormField control={control} name="end" needed="Until when?">
          {(f) => <TimeField label="To" hint="Earlier than From: the next morning." {...f} />}
        </FormField>
      </FieldGrid>
      <FormField control={control} name="reason" needed="Say why, for the record.">
        {(f) => (
          <TextField
            label="Why"
            maxLength={500}
            hint={`${sheet.name} reads it. What it was before stays in the record.`}
            {...f}
          />
        )}
      </FormField>
      <FormActions>
        <Button type="submit" kind="primary" loading={correct.isPending}>
          {entry ? 'Save the correction' : 'Add the time'}
        </Button>
        {entry ? (
          <Button kind="danger" onClick={() => void takeOut()}>
            Take it out
          </Button>
        ) : null}
        <Button onClick={onClose}>Cancel</Button>
      </FormActions>
    </Form>
  )
}

/** Adds, changes or takes out a spell of somebody's week. */
export const SpellDialog = ({ sheet, spell, ...rest }: Omit<Props, 'spell'> & { spell: Spell | null }) => (
  <Dialog
    open={spell !== null}
    onClose={rest.onClose}
    title={spell?.entry ? `Correct ${sheet.name}’s time` : `Add time for ${sheet.name}`}
    size="s"
  >
    {spell ? <SpellForm key={spell.entry?.id ?? spell.day} sheet={sheet} spell={spell} {...rest} /> : null}
  </Dialog>
)
