export const FindPanel = (_: { open: boolean; onClose: () => void; onShowKeys: () => void }) => null
