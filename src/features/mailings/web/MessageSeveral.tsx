import { Dialog } from '../../../ui/Dialog.tsx'
import type { About } from '../rules.ts'
import type { Asked } from './data.ts'
import { MessageForm, useMessageForm, useMessagePreview } from './MessageForm.tsx'

type Props = {
  choice: Asked['choice']
  /** What it is about where that is clear; whoever writes may say otherwise. */
  about?: About
  onClose: () => void
  onDone: () => void
}

/** One message to all customers that were chosen in a list or on a map. */
export const MessageSeveral = ({ choice, about, onClose, onDone }: Props) => {
  const form = useMessageForm(about)
  const { seen } = useMessagePreview(choice, form)
  return (
    <Dialog
      open
      onClose={onClose}
      size="l"
      closeOnOutside={!form.formState.isDirty}
      title={
        seen
          ? `Message ${seen.chosen.toLocaleString('en-US')} ${seen.chosen === 1 ? 'customer' : 'customers'}`
          : 'Message customers'
      }
    >
      <MessageForm
        choice={choice}
        form={form}
        onCancel={onClose}
        onSent={() => {
          onDone()
          onClose()
        }}
      />
    </Dialog>
  )
}
