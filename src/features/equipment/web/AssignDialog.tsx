import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { type Day, formatDay } from '../../../shared/dates.ts'
import { Button } from '../../../ui/Button.tsx'
import { DateField } from '../../../ui/DateField.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FieldGrid } from '../../../ui/FieldGrid.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useToday } from '../../accounts/web/session.ts'
import { crewsQuery } from '../../employees/web/data.ts'
import type { EquipmentDetail } from '../contract.ts'
import { usePiece } from './data.ts'

type Props = { piece: EquipmentDetail; onClose: () => void }
type Values = { crewId: string; from: Day | null }

const Assign = ({ piece, onClose }: Props) => {
  const today = useToday()
  const crews = useQuery(crewsQuery)
  const assign = usePiece(piece.id, 'assign')
  const form = useForm<Values>({ defaultValues: { crewId: piece.crew?.id ?? '', from: today } })
  const submit = async ({ crewId, from }: Values) => {
    await assign.mutateAsync({ crewId: crewId || null, from: from ?? today, version: piece.version })
    const name = crews.data?.items.find(({ id }) => id === crewId)?.name
    const when = from === today ? 'today' : formatDay(from ?? today)
    toast.success(name ? `${piece.name} is with ${name} from ${when}` : `${piece.name} is with no crew from ${when}`)
    onClose()
  }
  return (
    <Form form={form} onSubmit={submit} label="Which crew has it">
      <FieldGrid min={160}>
        <FormField control={form.control} name="crewId">
          {(f) => (
            <SelectField
              label="Crew"
              options={[
                { value: '', label: 'None, it stays at the shop' },
                ...(crews.data?.items ?? []).map(({ id, name }) => ({ value: id, label: name })),
              ]}
              {...f}
            />
          )}
        </FormField>
        <FormField control={form.control} name="from" needed="From which day?">
          {(f) => <DateField label="From" today={today} min={today} {...f} />}
        </FormField>
      </FieldGrid>
      <FormActions>
        <Button type="submit" kind="primary" loading={form.formState.isSubmitting}>
          Save
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </FormActions>
    </Form>
  )
}

/** Which crew has a piece from a day on. */
export const AssignDialog = ({ open, ...props }: Props & { open: boolean }) => (
  <Dialog open={open} onClose={props.onClose} title={`Who has ${props.piece.name}?`} size="s">
    {open ? <Assign {...props} /> : null}
  </Dialog>
)
