import { type ReactNode, useRef } from 'react'
import { IconCamera } from '../icons.ts'
import { FieldButton } from './FieldButton.tsx'

/** Opens the camera at once. The picture goes to the caller as the file the phone made. */
export const PhotoButton = ({
  children,
  onPhotos,
  busy,
  multiple,
}: {
  children: ReactNode
  onPhotos: (files: File[]) => void
  busy?: boolean
  multiple?: boolean
}) => {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <FieldButton icon={<IconCamera aria-hidden="true" />} busy={busy ?? false} onClick={() => input.current?.click()}>
        {children}
      </FieldButton>
      <input
        ref={input}
        className="ui-hidden"
        type="file"
        accept="image/*"
        capture="environment"
        multiple={multiple}
        tabIndex={-1}
        aria-hidden="true"
        onChange={(event) => {
          const files = [...(event.target.files ?? [])]
          event.target.value = ''
          if (files.length) onPhotos(files)
        }}
      />
    </>
  )
}
