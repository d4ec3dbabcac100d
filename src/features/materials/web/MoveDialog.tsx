import { useForm } from 'react-hook-form'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { NumberField } from '../../../ui/NumberField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { toast } from '../../../ui/toast.tsx'
import type { Material } from '../contract.ts'
import { packagesText } from '../rules.ts'
import { useMaterialVerb } from './data.ts'

export type Move = 'count' | 'receive' | 'use'
type Of = Pick<Material, 'id' | 'name' | 'package' | 'onHand'>
type Props = { material: Of; move: Move /** What is likely typed. */; usual?: number; onClose: () => void }

const words = {
  count: { title: 'Count', label: 'There are', save: 'Save the count', note: 'Why it differs' },
  receive: { title: 'Received', label: 'Came in', save: 'Save what came in', note: 'From whom' },
  use: { title: 'Used', label: 'Used', save: 'Save what was used', note: 'What for' },
} as const

const Moving = ({ material, move, usual, onClose }: Props) => {
  const count = useMaterialVerb(material.id, 'count')
  const receive = useMaterialVerb(material.id, 'receive')
  const use = useMaterialVerb(material.id, 'use')
  const form = useForm<{ onHand: number | null; packages: number | null; note: string }>({
    defaultValues: { onHand: null, packages: usual ?? null, note: '' },
  })
  const { title, label, save, note } = words[move]
  return (
    <Form
      form={form}
      label={title}
      onSubmit={async ({ onHand, packages, note: why }) => {
        const saved =
          move === 'count'
            ? await count.mutateAsync({ onHand: onHand ?? 0, note: why })
            : await (move === 'receive' ? receive : use).mutateAsync({ packages: packages ?? 0, note: why })
        toast.success(`${saved.name}: ${packagesText(saved.onHand, saved.package)} on hand`)
        onClose()
      }}
    >
      <p className="muted">{packagesText(material.onHand, material.package)} on hand by now.</p>
      <FormField control={form.control} name={move === 'count' ? 'onHand' : 'packages'} needed="How many?">
        {(f) => <NumberField label={label} unit={material.package} min={0} autoFocus {...f} />}
      </FormField>
      <FormField control={form.control} name="note">
        {(f) => <TextField label={note} optional maxLength={300} {...f} />}
      </FormField>
      <FormActions>
        <Button type="submit" kind="primary" loading={form.formState.isSubmitting}>
          {save}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </FormActions>
    </Form>
  )
}

/** What there is of a material becomes more, less, or what was counted. */
export const MoveDialog = ({ material, move, ...rest }: Omit<Props, 'move'> & { move: Move | null }) => (
  <Dialog
    open={move !== null}
    onClose={rest.onClose}
    title={move ? `${words[move].title}: ${material.name}` : ''}
    size="s"
  >
    {move ? <Moving material={material} move={move} {...rest} /> : null}
  </Dialog>
)
