// SPDX-License-Identifier: Apache-2.0
//! Words on buttons, in the languages of many phones. Lower case; a word of letters with spaces between them fits a whole
//! word, one in a script without spaces fits anywhere.

use bailey_protocol::NodeClass;

/// Words that tell what a thing does, the gravest first: the first list that fits decides.
#[rustfmt::skip]
pub(crate) const RISKY: [(NodeClass, &[&str]); 7] = [
    (
        NodeClass::Pay,
        &[
            "ödeme", "ชำระเงิน", "จ่าย", "ซื้อ", "โอนเงิน",
            "pay", "buy", "purchase", "checkout", "check out", "place order", "order now", "submit order",
            "subscribe", "donate", "transfer", "top up", "recharge", "withdraw", "bid", "book now", "start trial",
            "trade", "sell", "tip", "split bill", "pix", "支付", "付款", "购买", "購買", "买单", "結帳", "结算", "結算", "下单", "下單",
            "提交订单", "提交訂單", "充值", "儲值", "转账", "轉帳", "汇款", "匯款", "红包", "紅包", "打赏", "打賞", "提现", "提現", "订购", "訂購",
            "立即预订", "立即抢购", "买入", "卖出", "開通", "开通", "续费", "拼单", "赎回", "申购", "支払", "購入", "注文", "送金", "課金", "カートに入れる",
            "결제", "구매", "주문", "송금", "충전", "bezahlen", "kaufen", "bestellen", "überweisen", "abonnieren", "spenden",
            "payer", "acheter", "commander", "virement", "s'abonner", "pagar", "comprar", "transferir",
            "suscribirse", "assinar", "paga", "acquista", "ordina", "оплатить", "купить", "заказать", "перевести",
            "подписаться", "öde", "satın al", "sipariş ver", "ادفع", "شراء", "اشتر", "भुगतान", "खरीदें",
            "thanh toán", "mua", "bayar", "beli", "zapłać", "kup",
        ],
    ),
    (
        NodeClass::Delete,
        &[
            "cancel order", "cancel subscription", "cancel booking", "mute", "reject", "decline", "ลบ",
            "delete", "remove", "erase", "clear", "reset", "discard", "unsubscribe", "empty trash", "wipe", "format",
            "block", "report", "leave group", "exit group", "unfriend", "unfollow", "archive", "overwrite",
            "factory", "forget", "close account", "删除", "刪除", "移除", "清空", "清除", "重置", "重設", "恢复出厂", "格式化", "丢弃",
            "捨棄", "退订", "拉黑", "封鎖", "举报", "檢舉", "退出群", "取关", "取消关注", "取消订单", "注销", "解散", "撤回", "削除", "消去", "リセット",
            "初期化", "破棄", "ブロック", "삭제", "초기화", "지우기", "차단", "löschen", "entfernen", "zurücksetzen", "verwerfen",
            "kündigen", "blockieren", "supprimer", "effacer", "réinitialiser", "bloquer", "eliminar", "borrar",
            "restablecer", "bloquear", "excluir", "apagar", "elimina", "cancella", "ripristina", "удалить",
            "очистить", "сбросить", "заблокировать", "sil", "kaldır", "sıfırla", "engelle", "حذف", "مسح", "حظر",
            "हटाएं", "मिटाएं", "xóa", "gỡ", "chặn", "hapus", "blokir", "usuń",
        ],
    ),
    (
        NodeClass::Install,
        &[
            "install", "uninstall", "update", "upgrade", "enable app", "disable", "force stop", "download", "apk",
            "get app", "安装", "安裝", "卸载", "解除安裝", "更新", "升级", "升級", "下载", "下載", "强行停止", "強制停止", "停用", "インストール",
            "アンインストール", "アップデート", "ダウンロード", "強制停止", "설치", "제거", "업데이트", "다운로드", "installieren", "deinstallieren",
            "aktualisieren", "herunterladen", "installer", "désinstaller", "mettre à jour", "télécharger",
            "instalar", "desinstalar", "actualizar", "atualizar", "descargar", "baixar", "installa", "disinstalla",
            "aggiorna", "scarica", "установить", "обновить", "скачать", "yükle", "güncelle", "indir", "تثبيت",
            "تحديث", "تنزيل", "इंस्टॉल", "डाउनलोड", "cài đặt ứng dụng", "tải xuống", "pasang", "unduh", "zainstaluj",
        ],
    ),
    (
        NodeClass::Permission,
        &[
            "approve", "อนุญาต",
            "allow", "permit", "grant", "authorize", "authorise", "trust", "unlock", "deny", "don't allow",
            "while using the app", "only this time", "turn off", "turn on", "enable", "activate", "deactivate",
            "accept", "agree", "consent", "accessibility", "device admin", "developer options", "usb debugging",
            "unknown sources", "unknown apps", "play protect", "vpn", "accept all", "允许", "允許", "授权", "授權", "信任",
            "同意", "接受", "启用", "啟用", "开启", "開啟", "关闭权限", "拒绝", "拒絕", "激活", "仅在使用", "无障碍", "開發人員", "开发者", "未知来源",
            "设备管理", "許可", "同意する", "有効", "無効", "허용", "동의", "수락", "사용", "zulassen", "erlauben", "akzeptieren",
            "zustimmen", "aktivieren", "autoriser", "accepter", "activer", "permitir", "aceptar", "activar",
            "aceitar", "ativar", "consenti", "accetta", "attiva", "разрешить", "принять", "включить", "izin ver",
            "kabul et", "etkinleştir", "السماح", "سماح", "قبول", "موافق", "अनुमति", "cho phép", "đồng ý", "izinkan",
            "setuju", "zezwól",
        ],
    ),
    (
        NodeClass::Account,
        &[
            "sign in", "log in", "login", "sign up", "register", "log out", "logout", "sign out", "password",
            "passcode", "pin", "otp", "verification code", "verify", "two-factor", "link account", "add account",
            "switch account", "continue with google", "continue with apple", "continue with facebook", "登录", "登入",
            "注册", "註冊", "退出登录", "登出", "密码", "密碼", "验证码", "驗證碼", "切换账号", "添加账号", "实名", "绑定", "ログイン", "ログアウト", "登録",
            "パスワード", "サインイン", "로그인", "로그아웃", "가입", "비밀번호", "anmelden", "abmelden", "registrieren", "passwort",
            "connexion", "se connecter", "déconnexion", "s'inscrire", "mot de passe", "iniciar sesión",
            "cerrar sesión", "registrarse", "contraseña", "entrar", "sair", "senha", "accedi", "esci", "registrati",
            "войти", "выйти", "пароль", "giriş yap", "çıkış yap", "şifre", "تسجيل", "كلمة المرور", "लॉग इन",
            "पासवर्ड", "đăng nhập", "đăng ký", "mật khẩu", "masuk", "keluar", "sandi", "zaloguj",
        ],
    ),
    (
        NodeClass::Send,
        &[
            "claim", "hang up", "hire", "punch in", "clock in", "ส่ง", "โทร",
            "send", "post", "publish", "share", "submit", "reply", "comment", "call", "video call", "dial",
            "message", "upload", "save", "apply", "done", "confirm", "ok", "yes", "like", "follow", "join", "invite",
            "forward", "retweet", "repost", "vote", "rate", "print", "start", "create", "add", "record", "request",
            "connect", "pair", "export", "backup", "restore", "import", "sync", "set as default", "snooze",
            "dismiss alarm", "finish", "continue", "next", "proceed", "edit", "undo", "redo", "发送", "發送", "傳送", "发布",
            "發布", "发表", "提交", "分享", "回复", "回覆", "评论", "評論", "留言", "呼叫", "拨打", "撥打", "通话", "上传", "上傳", "保存", "儲存",
            "应用", "完成", "确定", "確定", "确认", "確認", "好的", "是的", "点赞", "讚", "关注", "關注", "加入", "邀请", "邀請", "转发", "轉發",
            "投票", "打印", "开始", "開始", "创建", "建立", "添加", "新增", "录制", "连接", "連接", "配对", "导出", "备份", "恢复", "导入", "同步",
            "下一步", "继续", "繼續", "发起", "群发", "签到", "领取", "預約", "预约", "挂号", "报名", "编辑", "修改", "送信", "投稿", "公開", "共有",
            "返信", "コメント", "発信", "通話", "アップロード", "保存", "適用", "完了", "確認", "はい", "いいね", "フォロー", "参加", "招待", "次へ", "続行",
            "作成", "追加", "設定する", "전송", "보내기", "게시", "공유", "제출", "답장", "댓글", "통화", "저장", "확인", "완료", "다음", "계속", "추가",
            "만들기", "senden", "veröffentlichen", "teilen", "absenden", "antworten", "anrufen", "hochladen",
            "speichern", "bestätigen", "fertig", "weiter", "hinzufügen", "ja", "envoyer", "publier", "partager",
            "répondre", "appeler", "enregistrer", "confirmer", "terminer", "suivant", "continuer", "ajouter", "oui",
            "enviar", "publicar", "compartir", "compartilhar", "responder", "llamar", "ligar", "guardar", "salvar",
            "confirmar", "listo", "concluir", "siguiente", "próximo", "continuar", "añadir", "adicionar", "sí",
            "sim", "invia", "pubblica", "condividi", "rispondi", "chiama", "salva", "conferma", "avanti", "continua",
            "aggiungi", "отправить", "опубликовать", "поделиться", "ответить", "позвонить", "сохранить",
            "подтвердить", "готово", "далее", "продолжить", "добавить", "да", "gönder", "paylaş", "yanıtla", "ara",
            "kaydet", "onayla", "tamam", "ileri", "devam", "ekle", "evet", "إرسال", "نشر", "مشاركة", "رد", "اتصال",
            "حفظ", "تأكيد", "تم", "التالي", "متابعة", "إضافة", "نعم", "भेजें", "साझा करें", "सहेजें", "पुष्टि",
            "हाँ", "gửi", "đăng", "chia sẻ", "trả lời", "gọi", "lưu", "xác nhận", "xong", "tiếp", "thêm", "kirim",
            "bagikan", "balas", "panggil", "simpan", "konfirmasi", "selesai", "lanjut", "tambah", "ya", "wyślij",
            "zapisz",
        ],
    ),
    (
        NodeClass::Leave,
        &[
            "open in", "open with", "open link", "open browser", "view in browser", "visit", "go to website",
            "external", "scan", "打开方式", "在浏览器", "浏览器打开", "用其他应用", "前往", "去看看", "扫一扫", "扫码", "掃描", "ブラウザで開く", "外部",
            "브라우저", "im browser", "öffnen mit", "ouvrir avec", "abrir con", "abrir com", "открыть в", "scannen",
            "scanner",
        ],
    ),
];

/// Words that only lead about in the app, or close something without doing it.
#[rustfmt::skip]
pub(crate) const NAVIGATION: &[&str] = &[
    "back", "navigate up", "go back", "up", "home", "close", "cancel", "not now", "later", "skip", "no", "no thanks",
    "dismiss", "collapse", "expand", "show more", "see more", "see all", "view all", "more", "more options", "menu",
    "open navigation drawer", "navigation drawer", "search", "filter", "sort", "settings", "tab", "previous",
    "previous month", "next month", "next page", "previous page", "details", "info", "about", "help", "history",
    "profile", "chats", "contacts", "discover", "me", "feed", "library", "explore", "browse", "categories",
    "list view", "grid view", "calendar", "today", "week", "month", "day", "year", "agenda", "inbox", "overview",
    "refresh", "add to cart", "加入购物车", "加入購物車", "返回", "上一步", "关闭", "關閉", "取消", "以后再说", "稍后", "稍後", "跳过", "略過", "不用了",
    "暂不", "收起", "展开", "展開", "更多", "查看更多", "查看全部", "全部", "菜单", "選單", "搜索", "搜尋", "筛选", "排序", "设置", "設定", "首页", "主页",
    "发现", "我", "我的", "消息", "通讯录", "联系人", "详情", "帮助", "关于", "历史", "分类", "推荐", "上一页", "下一页", "刷新", "取消搜索", "信息", "戻る",
    "閉じる", "キャンセル", "後で", "スキップ", "いいえ", "もっと見る", "メニュー", "検索", "設定", "ホーム", "뒤로", "닫기", "취소", "나중에", "건너뛰기", "아니요",
    "더보기", "메뉴", "검색", "설정", "홈", "zurück", "schließen", "abbrechen", "später", "überspringen", "nein", "mehr",
    "menü", "suche", "suchen", "einstellungen", "start", "retour", "fermer", "annuler", "plus tard", "ignorer",
    "non", "plus", "rechercher", "paramètres", "accueil", "atrás", "volver", "cerrar", "cancelar", "más tarde",
    "omitir", "más", "menú", "buscar", "ajustes", "inicio", "voltar", "fechar", "agora não", "pular", "não", "mais",
    "configurações", "início", "indietro", "chiudi", "annulla", "più tardi", "salta", "altro", "cerca",
    "impostazioni", "назад", "закрыть", "отмена", "позже", "пропустить", "нет", "ещё", "меню", "поиск", "настройки",
    "главная", "geri", "kapat", "iptal", "sonra", "atla", "hayır", "daha fazla", "ara", "ayarlar", "ana sayfa",
    "رجوع", "إغلاق", "إلغاء", "لاحقا", "تخطي", "لا", "المزيد", "بحث", "الإعدادات", "الرئيسية", "वापस", "बंद करें",
    "रद्द करें", "खोजें", "सेटिंग", "quay lại", "đóng", "hủy", "để sau", "bỏ qua", "không", "thêm nữa", "tìm kiếm",
    "cài đặt", "kembali", "tutup", "batal", "nanti", "lewati", "tidak", "lainnya", "cari", "setelan", "wstecz",
    "zamknij", "anuluj",
];

/// Whether a text in lower case holds a word.
pub(crate) fn holds(text: &str, word: &str) -> bool {
    if word.chars().any(is_spaceless) {
        return text.contains(word);
    }
    text.match_indices(word).any(|(at, found)| {
        let before = text[..at].chars().next_back();
        let after = text[at + found.len()..].chars().next();
        !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
    })
}

/// A letter of a script that is written without spaces.
pub(crate) fn is_spaceless(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{0e00}'..='\u{0e7f}')
}
